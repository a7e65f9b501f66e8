/** Labels for staff actions on members and requests. */
const LABELS: Readonly<Record<string, string>> = {
  'member.view': 'viewed the member',
  'member.block': 'blocked the member',
  'member.unblock': 'let the member in again',
  'member.special-rcm': 'changed whether the member is special',
  'member.rank': 'changed the rank',
  'member.end-sessions': 'ended all sessions',
  'member.reveal': 'viewed phone or addresses',
  'member.picture': 'viewed a picture',
  'member.verify': 'marked the mail address as verified',
  'member.view-as': 'viewed the member’s pages',
  'member.export': 'wrote the timeline or a wallet into a file',
  'member.note': 'wrote a note',
  'member.reset-second-factor': 'took the authenticator app off',
  suspend: 'suspended the staff rights',
  'rewards.cancel': 'took held rewards back',
  'transfer.reverse': 'took a transfer back',
  'request.approve': 'approved the payout',
  'request.first-approval': 'gave the first approval',
  'request.take-back': 'took the approval back',
  'request.reject': 'rejected the payout',
  'request.transaction': 'named the transaction',
  'request.stop-sending': 'stopped the sending',
}

/** Describes a staff action, to follow a name: `gave the first approval`. */
export function describeStaffAction({ action, outcome }: { action: string; outcome: string }): string {
  const name = action.replace(/^staff\./, '')
  return `${LABELS[name] ?? name.replaceAll(/[.-]/g, ' ')}${outcome === 'ok' ? '' : ', refused'}`
}
