/** Reversibility of a transfer kind: its follow-ups, or the alternative. */
export type ReversalRule = { can: boolean; text: string }

const can = (text: string): ReversalRule => ({ can: true, text })
const instead = (text: string): ReversalRule => ({ can: false, text })

const PURCHASE = 'reverse the purchase under the member, while its rewards are on hold'
const HELD_REWARD = 'cancel the reward on hold under the member, or reverse its purchase'
const RUN = 'rewards of a day depend on a stake or NFT: reverse that one under the member'
const ASKED = 'reject the request under Payouts'
const PAID = 'the payment was sent; a payout that failed on the chain is returned under Payouts'
const BACK = 'it is a return itself'
const RATE = 'it was made at the rate of its day; the member can convert back at the current rate'

/**
 * Complete table of reversible kinds. A reversible transfer has known follow-ups, reversed with it (transfer-reversal.ts).
 * Kinds with another way back, or with follow-ups already paid, are irreversible.
 */
export const REVERSALS: Readonly<Record<string, ReversalRule>> = {
  deposit: can(
    'The deposit counts for less in the member’s totals by it. What arrived is never credited again. New money of it that is gone reverses pending referral rewards.',
  ),
  tokenDeposit: can('The deposit counts for less in the member’s totals by it. What arrived is never credited again.'),
  rcmCredit: can('The coin goes back into the reward pool.'),
  userToUser: can('New money that the receiver still has goes back to the sender with it.'),
  swapNative: can('Both wallets are the member’s own; nothing else follows.'),
  nftToDeposit: can('Both wallets are the member’s own; nothing else follows.'),
  exchange: instead('it counts towards the exchange limit and is in the member’s list of exchanges'),
  convertToMyWallet: instead(RATE),
  myWalletToUsd: instead(RATE),
  rcmToUsd: instead(RATE),
  buyToken: instead(PURCHASE),
  nftPurchase: instead(PURCHASE),
  stake: instead(PURCHASE),
  stakeMatured: instead('the stake has ended, and its coin is with the member'),
  buyTokenReversed: instead(BACK),
  nftPurchaseReversed: instead(BACK),
  stakeReversed: instead(BACK),
  stakeRewards: instead(RUN),
  stakeLogRewards: instead(RUN),
  nftRewards: instead(RUN),
  referralReward: instead(HELD_REWARD),
  levelReward: instead(HELD_REWARD),
  rankBonus: instead(HELD_REWARD),
  nftLevelBonus: instead(HELD_REWARD),
  fundSales: instead('members may have sold coin against it already'),
  fundRewardPool: instead('money in the reward pool covers promised rewards and leaves it only as a reward'),
  withdrawal: instead(ASKED),
  bridge: instead(ASKED),
  transferHeld: instead('the member cancels the transfer, or it is returned if it is not confirmed'),
  transferReleased: instead(BACK),
  payout: instead(PAID),
  platformFee: instead(PAID),
  networkFee: instead(PAID),
  payoutReturned: instead(BACK),
  payoutFeeReturned: instead(BACK),
  paymentReturned: instead('the payment was sent; cancel the return under Deposits'),
  returnFee: instead('it ends with the return of its payment; cancel that one under Deposits'),
  paymentReturnReversed: instead(BACK),
  returnFeeReversed: instead(BACK),
  proceeds: instead('it is a payout to the operator; one person cancels it under Hot wallet while it waits'),
  proceedsReturned: instead(BACK),
  withdrawalRejected: instead(BACK),
  bridgeRejected: instead(BACK),
  networkCost: instead('the network has taken it'),
  issue: instead('the supply was issued once and for all'),
  importStock: instead('it is the coin of an import'),
  importBalance: instead('it is the member’s balance on the earlier platform'),
  depositLoss: instead('it covers a lost deposit'),
  reversal: instead('it is a reversal itself; make the transfer again'),
}

/** Returns a transfer kind's rule. An undeclared kind is irreversible. */
export const reversalRule = (kind: string): ReversalRule =>
  REVERSALS[kind] ?? instead('it only moved money between shards of a system account')
