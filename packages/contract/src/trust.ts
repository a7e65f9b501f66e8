import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { rewardKind } from './rewards.ts'
import { memberRead, route } from './route.ts'
import { asset } from './wallet-keys.ts'

/** A published statement. */
const published = {
  /** Exact text. */
  text: v.string(),
  /** SHA-256 of the text. */
  digest: v.string(),
  /** Signature of the text (EIP-191), if there is one. */
  signer: v.nullable(v.string()),
  signature: v.nullable(v.string()),
  /** Final transaction whose data is the digest, if the operator publishes digests on a chain. */
  onChain: v.nullable(v.object({ chainId: v.number(), hash: v.string(), sender: v.string(), block: v.number() })),
}

export const trustPage = route({
  name: 'trustPage',
  method: 'GET',
  path: '/trust',
  access: 'public',
  summary:
    "Returns the platform's liabilities and their coverage: balances, reward pool, promised rewards by month, and the newest published statement.",
  reply: v.object({
    at: moment,
    /** Now, per asset: wallets, amounts on hold, earned rewards, their sum, and the external money by the books. */
    reserves: v.array(v.object({ asset, wallets: amount, holds: amount, earned: amount, liabilities: amount, books: amount })),
    /** Reward pool per asset: balance, promised, and owed but not yet funded. */
    rewardPool: v.array(v.object({ asset, balance: amount, promised: amount, owed: amount, coverage: v.nullable(amount) })),
    /** Promised rewards by month (`2026-07`) and kind. */
    forecast: v.array(v.object({ month: v.string(), kind: rewardKind, asset, amount })),
    /** Newest published statement; null before the first day. */
    proof: v.nullish(v.object(published)),
    /** Last ledger check's result. */
    ledger: v.nullish(v.object({ at: moment, ok: v.boolean(), transfers: v.number() })),
  }),
})

export const trustHistory = route({
  name: 'trustHistory',
  method: 'GET',
  path: '/trust/history',
  access: 'public',
  summary: 'Lists the published statements as a hash chain, oldest first, at most 400 after the given number.',
  query: v.object({
    /** Number of the last known statement; all from the first by default. */
    after: v.pipe(v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'Must be a whole number')), '0'), v.transform(Number)),
  }),
  reply: v.array(v.object(published)),
})

export const publicOffer = route({
  name: 'publicOffer',
  method: 'GET',
  path: '/trust/offer',
  access: 'public',
  summary: 'Returns the coin price and the stake plans on sale, for visitors.',
  reply: v.object({
    /** USD per coin that a purchase costs now. */
    coinPrice: amount,
    /** Plans that a member can open now, newest first, at most 100; apy is the plan's total percent (VA-68). */
    plans: v.array(v.object({ id: answerId, planName: v.string(), duration: v.number(), minimum: amount, apy: amount })),
  }),
})

export const inviter = route({
  name: 'inviter',
  method: 'GET',
  path: '/trust/inviter',
  access: 'public',
  limited: true,
  summary: 'Returns the first name of the member with a referral code, for visitors with a referral link; null if there is no such member.',
  query: v.object({ code: v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{6,32}$/, 'Invalid referral code')) }),
  reply: v.object({ firstName: v.nullable(v.string()) }),
})

/** Amounts as decimal text in units of 10^-8, because their sums exceed JSON numbers. */
const sums = { usd: v.string(), coin: v.string() }
const leaf = v.object({ position: v.number(), ...sums, salt: v.string(), path: v.array(v.object({ hash: v.string(), ...sums })) })

export const myProof = memberRead({
  name: 'myProof',
  path: '/trust/my-proof',
  summary: "Returns the member's proof for the newest published day: four leaves in each tree, with their paths (docs/proof.md).",
  reply: v.object({ format: v.string(), member: v.string(), statement: v.string(), owed: v.array(leaf), promised: v.array(leaf) }),
  errors: ['NOT_FOUND'],
})
