import type { NoticeKind } from '@tizara/contract/notices'
import { texts } from '@tizara/languages'

/** Names of the kinds of notifications in the inbox's filter. */
export const noticeNames: Readonly<Record<NoticeKind, string>> = texts({
  deposit: 'Deposits',
  received: 'Transfers received',
  reward: 'Rewards',
  'stake-ended': 'Ended stakes',
  'sell-request': 'Sell requests',
  'support-answer': 'Support answers',
  message: 'Messages',
  payout: 'Withdrawals, bridges, transfers sent',
  'payout-address': 'Payout addresses',
  'sign-in': 'Sign-ins',
  contact: 'Name, phone and address',
  password: 'Password',
  'second-factor': 'Second factor',
  recovery: 'Account recovery',
  staff: 'Reversals by staff',
})
