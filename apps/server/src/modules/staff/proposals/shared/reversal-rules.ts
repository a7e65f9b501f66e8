/** Reversibility of a transfer kind: its follow-ups, or the alternative. */
export type ReversalRule = { can: boolean; text: string }

const can = (text: string): ReversalRule => ({ can: true, text })
const instead = (text: string): ReversalRule => ({ can: false, text })

const PURCHASE = 'undo the purchase under the member, while its rewards are on hold'
const HELD_REWARD = 'take the held reward back under the member, or undo the purchase that it rests on'
const RUN = 'rewards of a day rest on what was staked: undo the stake or NFT under the member'
const ASKED = 'reject the request under Payouts'
const PAID = 'what was paid is gone; a payout that failed on the chain is given back under Payouts'
const BACK = 'it gave something back already'
const RATE = 'it was made at the rate of its day; the member can convert back at the one of today'

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
  exchange: instead('it is counted against the exchange limit and stands in the member’s list of exchanges'),
  convertToMyWallet: instead(RATE),
  myWalletToUsd: instead(RATE),
  rcmToUsd: instead(RATE),
  buyToken: instead(PURCHASE),
  nftPurchase: instead(PURCHASE),
  stake: instead(PURCHASE),
  stakeMatured: instead('the stake has ended, and its coin is with the member'),
  buyTokenUndone: instead(BACK),
  nftPurchaseUndone: instead(BACK),
  stakeUndone: instead(BACK),
  stakeRewards: instead(RUN),
  stakeLogRewards: instead(RUN),
  nftRewards: instead(RUN),
  referralReward: instead(HELD_REWARD),
  levelReward: instead(HELD_REWARD),
  rankBonus: instead(HELD_REWARD),
  nftLevelBonus: instead(HELD_REWARD),
  fundSales: instead('members may have sold coin against it already'),
  fundRewardPool: instead('what is in the reward pool stands behind promised rewards and leaves it only as one'),
  withdrawal: instead(ASKED),
  bridge: instead(ASKED),
  transferHeld: instead('the member cancels the transfer, or it is returned when nobody confirms it'),
  transferReleased: instead(BACK),
  payout: instead(PAID),
  platformFee: instead(PAID),
  networkFee: instead(PAID),
  payoutReturned: instead(BACK),
  payoutFeeReturned: instead(BACK),
  withdrawalRejected: instead(BACK),
  bridgeRejected: instead(BACK),
  networkCost: instead('the network has taken it'),
  issue: instead('the supply was issued once and for all'),
  depositLoss: instead('it covers a deposit that is gone'),
  reversal: instead('it took something back itself; make the transfer anew'),
}

/** Returns a transfer kind's rule. An undeclared kind is irreversible. */
export const reversalRule = (kind: string): ReversalRule => REVERSALS[kind] ?? instead('it only moved money between slots of the house')
