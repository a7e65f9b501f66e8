/**
 * Announcements: the popup of the dashboard (GN-28, ST-58). Owns the table `announcement`; the newest row is the one in
 * force, an inactive one switches the popup off.
 */
export { announcementMark, currentAnnouncement } from './announcements.queries.ts'
export { announcementRoutes } from './announcements.routes.ts'
export { publishAnnouncement } from './publish-announcement.ts'
