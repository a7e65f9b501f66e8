import * as v from 'valibot'
import { amount, answerId, coinInput, extra, idParams, line, moment, payoutAddress } from './fields.ts'
import { bridgeNetworks } from './limits.ts'
import { proofEntries } from './proof.ts'
import { nothing, memberAct, memberRead, route } from './route.ts'
import { asset } from './wallet-keys.ts'

/**
 * Guards outgoing money. Payouts to new addresses and transfers above the 24-hour limit need confirmation by emailed link, authenticator
 * code, passkey, or password on a known device.
 */

/** Maximum addresses per address book. */
export const BOOK_SIZE = 20
/** Minutes within which a challenge to prove an address must be signed. */
export const PROOF_MINUTES = 5

const network = v.picklist(Object.values(bridgeNetworks), 'Invalid network')
const proof = v.object(proofEntries)
const PROOF_ERRORS = [
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_REFUSED',
  'PASSKEY_REFUSED',
  'CURRENT_PASSWORD_WRONG',
  'DEVICE_NOT_TRUSTED',
  'PAYOUTS_STOPPED',
] as const

/** Reasons for not posting a confirmed transfer. */
const TRANSFER_ERRORS = ['PAYOUT_HELD', 'TRANSFER_CHECKED', 'USER_NOT_FOUND'] as const

/** Saved address; payouts to it need no confirmation from `usableFrom` on. */
const bookAddress = v.object({
  id: answerId,
  address: v.string(),
  network: v.number(),
  label: v.string(),
  createdAt: moment,
  usableFrom: v.nullable(moment),
  /** Set if the member proved the address: by the key of the account, or by the answer of a contract. */
  provenBy: extra(v.picklist(['key', 'contract'])),
})

/** Transfer awaiting confirmation; it is returned at `waitsUntil`. */
const waitingTransfer = v.object({ id: answerId, amount, email: v.string(), createdAt: moment, waitsUntil: moment })

export const payoutGuard = memberRead({
  name: 'payoutGuard',
  path: '/withdrawals/guard',
  summary: 'Returns the requirements of a payout: the required proof, the delay, the address book.',
  reply: v.object({
    /** Required proof: authenticator code or password. */
    proof: v.picklist(['otp', 'password']),
    /** True if a passkey can replace the code. */
    passkey: v.optional(v.boolean(), false),
    confirmHours: v.number(),
    delayHours: v.number(),
    /** The payout freeze's end and reason; `until` null: until the member resets the password by email. */
    held: v.nullable(v.object({ until: v.nullable(moment), why: v.string() })),
    addresses: v.array(bookAddress),
    /** Transfers awaiting confirmation, newest first. */
    transfers: extra(v.array(waitingTransfer)),
  }),
  errors: [],
})

export const addPayoutAddress = memberAct({
  name: 'addPayoutAddress',
  path: '/withdrawals/addresses',
  limited: true,
  summary: 'Adds an address to the address book. Without a proof it requires the mailed confirmation.',
  body: v.object({ address: payoutAddress, network: v.optional(network, 0), label: v.optional(line(60), 'Address'), ...proofEntries }),
  reply: v.nullish(v.object({ id: answerId })),
  errors: ['INVALID_ADDRESS', 'ADDRESS_IN_BOOK', 'ADDRESS_BOOK_FULL', ...PROOF_ERRORS],
})

export const confirmPayoutAddress = memberAct({
  name: 'confirmPayoutAddress',
  path: '/withdrawals/addresses/:id/confirm',
  limited: true,
  summary: 'Confirms an address of the address book and starts its delay.',
  params: idParams,
  body: proof,
  reply: nothing,
  errors: ['NOT_FOUND', 'ADDRESS_FORGED', ...PROOF_ERRORS],
})

export const challengePayoutAddress = memberAct({
  name: 'challengePayoutAddress',
  path: '/withdrawals/addresses/:id/challenge',
  limited: true,
  summary:
    "Returns a message (EIP-4361) whose signature proves that a BEP(20) or ERC(20) address is the member's. It is valid once, for five minutes.",
  params: idParams,
  reply: v.object({ message: v.string() }),
  errors: ['NOT_FOUND', 'ADDRESS_NOT_PROVABLE'],
})

export const provePayoutAddress = memberAct({
  name: 'provePayoutAddress',
  path: '/withdrawals/addresses/:id/prove',
  limited: true,
  summary: 'Proves an address by a signature over the latest message: by the key of the account, or by a contract (EIP-1271).',
  params: idParams,
  body: v.object({ signature: v.pipe(v.string(), v.regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, 'Invalid signature')) }),
  reply: nothing,
  errors: [
    'NOT_FOUND',
    'ADDRESS_PROOF_EXPIRED',
    'ADDRESS_PROOF_REFUSED',
    'ADDRESS_PROOF_EMPTY',
    'ADDRESS_PROOF_UNKNOWN',
    'PAYOUTS_STOPPED',
    'ADDRESS_FORGED',
  ],
})

export const removePayoutAddress = route({
  name: 'removePayoutAddress',
  method: 'DELETE',
  path: '/withdrawals/addresses/:id',
  access: 'member',
  summary: 'Removes an address from the address book.',
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const provePayout = memberAct({
  name: 'provePayout',
  path: '/withdrawals/step-up',
  limited: true,
  summary: 'Proves that the member makes one payout. `stepUp` is then valid for that call, once, within five minutes.',
  body: v.object({
    kind: v.picklist(['withdrawal', 'bridge', 'transfer']),
    amount: coinInput,
    /** For a transfer, the receiver's email. */
    address: payoutAddress,
    network: v.optional(network, 0),
    ...proofEntries,
  }),
  reply: v.object({ stepUp: v.string() }),
  errors: [...PROOF_ERRORS],
})

export const confirmPayout = memberAct({
  name: 'confirmPayout',
  path: '/withdrawals/requests/:id/confirm',
  limited: true,
  summary: "Confirms a payout or a transfer that awaits the member's confirmation.",
  params: idParams,
  body: proof,
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFIRMATION_EXPIRED', 'PAYOUT_CHANGED', ...TRANSFER_ERRORS, ...PROOF_ERRORS],
})

export const cancelPayout = memberAct({
  name: 'cancelPayout',
  path: '/withdrawals/requests/:id/cancel',
  summary: 'Cancels an undecided payout or transfer. The full amount returns to its wallet.',
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})

/** Confirmation link states. */
export const linkStates = ['waiting', 'confirmed', 'paid', 'returned', 'expired', 'removed'] as const

export const payoutLink = route({
  name: 'payoutLink',
  method: 'GET',
  path: '/withdrawals/link',
  access: 'link',
  summary: 'Returns the subject of a mailed link (a payout or an address) and the possible actions. Changes nothing.',
  reply: v.object({
    about: v.picklist(['payout', 'address', 'transfer']),
    state: v.picklist(linkStates),
    address: v.string(),
    network: v.number(),
    amount: v.nullable(amount),
    asset: v.nullable(asset),
    createdAt: moment,
    confirmBy: v.nullable(moment),
    /** True if the member stopped all payouts. */
    stopped: v.boolean(),
  }),
  errors: ['PAYOUT_LINK_INVALID'],
})

export const confirmByLink = route({
  name: 'confirmByLink',
  method: 'POST',
  path: '/withdrawals/link/confirm',
  access: 'link',
  summary: 'Confirms the payout or the address of a mailed link.',
  reply: nothing,
  errors: [
    'PAYOUT_LINK_INVALID',
    'ALREADY_DECIDED',
    'CONFIRMATION_EXPIRED',
    'PAYOUTS_STOPPED',
    'PAYOUT_CHANGED',
    'ADDRESS_FORGED',
    ...TRANSFER_ERRORS,
  ],
})

export const stopByLink = route({
  name: 'stopByLink',
  method: 'POST',
  path: '/withdrawals/link/stop',
  access: 'link',
  summary: "Cancels all open outflows, stops the account's payouts until a new password is set with a mailed link, and ends its sessions.",
  reply: v.object({ returned: v.boolean() }),
  errors: ['PAYOUT_LINK_INVALID'],
})
