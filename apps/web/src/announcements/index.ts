/** Announcements to members. */
export { AnnouncementPopup } from './announcement-popup.tsx'
