/** Row of the table: an action, the right that it requires, and whether it needs a second person. */
interface Action {
  label: string
  right: string
  /** `proposes`: a second person approves. `two people`: above a limit, or always. */
  how?: 'proposes' | 'two people'
}

/** Rows of the role table, by group. The server supplies the rights of each role. */
export const RIGHTS_BY_GROUP: readonly (readonly [string, readonly Action[]])[] = [
  [
    'Read',
    [
      { label: 'Overview, queues, members, ledger', right: 'staffOverview' },
      { label: 'Business figures and their export', right: 'staffBusiness' },
      { label: 'Show masked phone and images, written to the log', right: 'revealMember' },
      { label: 'Prices, plans, programme, reward runs', right: 'staffCatalogue' },
      { label: 'Audit log, chain check, exports', right: 'staffAudit' },
    ],
  ],
  [
    'Desk',
    [
      { label: 'Answer, assign, note, close a ticket', right: 'answerTicket' },
      { label: 'End a member’s sessions', right: 'endMemberSessions' },
      { label: 'Take charge of an incident', right: 'takeIncident' },
    ],
  ],
  [
    'Money',
    [
      { label: 'Approve or reject a payout, match a deposit', right: 'approveRequest' },
      { label: 'Second approval above the limit', right: 'approveRequest', how: 'two people' },
      { label: 'Fund the pool, credit RCM, reverse a purchase', right: 'change.fund', how: 'proposes' },
      { label: 'Pay rewards now, pay a day manually', right: 'startRewardRun' },
      { label: 'Pause payouts and runs', right: 'pausePlatform' },
      { label: 'Resume payouts and runs', right: 'resumePlatform', how: 'two people' },
      { label: 'Resolve chain incidents', right: 'answerChain', how: 'two people' },
      { label: 'Return an uncredited payment', right: 'proposePaymentReturn', how: 'two people' },
      { label: 'Move surplus of the hot wallet to cold storage', right: 'proposeColdMove', how: 'two people' },
      { label: 'Send proceeds of the sales fund to the operator', right: 'proposeProceeds', how: 'two people' },
    ],
  ],
  [
    'Platform',
    [
      { label: 'Price, plans, NFTs, programme, popup', right: 'change.price', how: 'proposes' },
      { label: 'Limits, fees, mail domains', right: 'change.limits', how: 'proposes' },
      { label: 'Approve another person’s proposal', right: 'approveChange' },
    ],
  ],
  [
    'People',
    [
      { label: 'Block a member', right: 'setMemberStatus' },
      { label: 'Unblock a member, special RCM, rank', right: 'change.special', how: 'two people' },
      { label: 'Recover an account without authenticator or mailbox', right: 'proposeAccountRecovery', how: 'two people' },
      { label: 'Cancel an account recovery', right: 'cancelAccountRecovery' },
      { label: 'Allow a colleague more personal data', right: 'allowViews' },
      { label: 'Staff and roles', right: 'grantRole', how: 'two people' },
    ],
  ],
]

/** Returns how a role may perform an action, by its rights. */
export function markOf(action: Action, rights: readonly string[]): 'yes' | 'no' | 'proposes' | 'two people' {
  return rights.includes(action.right) ? (action.how ?? 'yes') : 'no'
}
