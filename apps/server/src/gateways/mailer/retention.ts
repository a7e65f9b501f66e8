/** Mails that have gone or were given up are kept for questions; their contents are erased at once. */
export const mailRetention = [{ table: 'mail_outbox', moment: "case when status <> 'WAITING' then created_at end", days: 90 }] as const
