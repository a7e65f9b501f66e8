/** Announcements of the house to its members. */
export { AnnouncementPopup } from './announcement-popup.tsx'
