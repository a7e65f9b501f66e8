import * as v from 'valibot'
import { amount, id, moment } from './fields.ts'
import { rewardKind } from './rewards.ts'
import { memberRead, route } from './route.ts'
import { asset } from './wallet-keys.ts'

export const trustPage = route({
  name: 'trustPage',
  method: 'GET',
  path: '/trust',
  access: 'public',
  summary: 'What the house owes and what covers it: reserves, reward pool, promised rewards by month.',
  reply: v.object({
    at: moment,
    /** Member balances and reserves per asset; ratio in percent, null if nothing is owed. */
    reserves: v.array(v.object({ asset, liabilities: amount, reserves: amount, ratio: v.nullable(amount) })),
    /** Reward pool per asset: balance, promised, and owed but not yet funded. */
    rewardPool: v.array(v.object({ asset, balance: amount, promised: amount, owed: amount, coverage: v.nullable(amount) })),
    /** Promised rewards by month (`2026-07`) and kind. */
    forecast: v.array(v.object({ month: v.string(), kind: rewardKind, asset, amount })),
    /** Balance tree root and its time, for members' proofs. */
    proof: v.nullish(v.object({ id, root: v.string(), at: moment, members: v.number() })),
    /** The platform's on-chain balances, signed by one of its keys (EIP-191); null if payouts are sent manually. */
    onChain: v.nullish(
      v.object({
        at: moment,
        chainId: v.number(),
        signer: v.string(),
        holdings: v.array(v.object({ address: v.string(), asset, token: v.string(), amount })),
        text: v.string(),
        signature: v.string(),
      }),
    ),
    /** Last ledger check's result. */
    ledger: v.nullish(v.object({ at: moment, ok: v.boolean(), transfers: v.number() })),
  }),
})

export const myProof = memberRead({
  name: 'myProof',
  path: '/trust/my-proof',
  summary: "The path from the member's own balances to the published root, to check it without trusting the house.",
  reply: v.object({
    id,
    at: moment,
    root: v.string(),
    algorithm: v.string(),
    /** Text hashed into the leaf: the member's balances and a salt. */
    leaf: v.string(),
    leafHash: v.string(),
    path: v.array(v.object({ side: v.picklist(['left', 'right']), hash: v.string() })),
  }),
  errors: ['NOT_FOUND'],
})
