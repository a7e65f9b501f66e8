const at = new Date(Date.now() - 3_600_000).toISOString()
const member = { id: 'm1', name: 'Grace Okafor', email: 'grace@gmail.com' }
const message = { id: '7', message: 'Where is\r\nmy payout?', role: 'USER', createdAt: at }
/** Ticket as a list row. */
export const testTicketRow = {
  id: 't1',
  title: 'Payout',
  description: 'It is late',
  status: 'OPEN',
  createdAt: at,
  member,
  number: 2207,
  awaitsStaff: true,
  waitingSince: at,
  lastMessageAt: at,
  lastFrom: 'member' as const,
  tags: ['Deposit'],
  updates: [],
}
const none = { depositWallet: 0, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0, rcmWallet: 0 }
/** The full ticket, with the member's later message. */
export const testTicket = {
  ...testTicketRow,
  updates: [message],
  seen: '7',
  notes: [],
  money: [],
  flags: [],
  pane: {
    since: at,
    status: true,
    teamSize: 0,
    balances: { ...none, depositWallet: 22.15 },
    deposited: 0,
    paidOut: 0,
    bought: 0,
    earned: { usd: 0, coin: 48_212.5 },
    held: { usd: 0, coin: 0 },
    earlierPayouts: [],
    recentActions: [],
    ticketsBefore: 2,
  },
}
