/** Retention of the rows of sent and expired mails, which staff need for inquiries. The contents are erased at once. */
export const mailRetention = [{ table: 'mail_outbox', moment: "case when status <> 'WAITING' then created_at end", days: 90 }] as const
