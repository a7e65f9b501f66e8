/**
 * Manages the dashboard popup (GN-28, ST-58). Owns `announcement`. The row with the latest start is in force; an inactive one disables the
 * popup.
 */
export { announcementMark, currentAnnouncement } from './announcements.queries.ts'
export { announcementRoutes } from './announcements.routes.ts'
export { publishAnnouncement, scheduleAnnouncements } from './publish-announcement.ts'
