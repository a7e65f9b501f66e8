/**
 * Announcements: the popup of the dashboard (GN-28, ST-58). Owns the table `announcement`; the row that began last is the one in
 * force, an inactive one switches the popup off.
 */
export { announcementMark, currentAnnouncement } from './announcements.queries.ts'
export { announcementRoutes } from './announcements.routes.ts'
export { publishAnnouncement, scheduleAnnouncements } from './publish-announcement.ts'
