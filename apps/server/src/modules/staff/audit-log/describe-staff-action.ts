/** Labels for staff actions on members and requests. */
const LABELS: Readonly<Record<string, string>> = {
  'member.view': 'viewed the member',
  'page.view': 'viewed a page with personal data',
  'view-limit': 'reached the limit for personal data',
  'view-limit.allow': 'allowed more personal data',
  'member.block': 'blocked the member',
  'member.unblock': 'unblocked the member',
  'member.special-rcm': 'changed the special status',
  'member.rank': 'changed the rank',
  'member.end-sessions': 'ended all sessions',
  'member.reveal': 'viewed phone or addresses',
  'member.image': 'viewed an image',
  'member.verify': 'marked the mail address as verified',
  'member.view-as': 'viewed the member’s pages',
  'member.export': 'exported the timeline or a wallet',
  'member.note': 'wrote a note',
  'case.open': 'opened a case',
  'case.take': 'took over the case',
  'case.close': 'closed the case',
  'member.start-recovery': 'started the recovery of the account',
  'member.cancel-recovery': 'cancelled the recovery of the account',
  'api-key.create': 'created an API key',
  'api-key.fetch': 'fetched the API key',
  'api-key.end': 'ended the API key',
  suspend: 'suspended the staff rights',
  'rewards.cancel': 'cancelled pending rewards',
  'transfer.reverse': 'reversed a transfer',
  'request.approve': 'approved the payout',
  'request.first-approval': 'gave the first approval',
  'request.take-back': 'revoked the approval',
  'request.reject': 'rejected the payout',
  'request.approve-by-rule': 'approved the payout by a rule',
  'request.hold-by-rule': 'held the payout by a rule',
  'request.queue-by-rule': 'queued the payout by a rule',
  'payout-rules.stop': 'stopped the payout rules',
  'brand.logo': 'uploaded a logo',
  'request.transaction': 'recorded the transaction',
  'request.stop-sending': 'cancelled the payment',
}

/** Describes a staff action, to follow a name: `gave the first approval`. */
export function describeStaffAction({ action, outcome }: { action: string; outcome: string }): string {
  const name = action.replace(/^staff\./, '')
  return `${LABELS[name] ?? name.replaceAll(/[.-]/g, ' ')}${outcome === 'ok' ? '' : ', refused'}`
}
