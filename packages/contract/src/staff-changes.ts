import * as v from 'valibot'
import { amount, answerId, coinInput, echoed, id, idParams, line, moment, prose, usdInput } from './fields.ts'
import { NAME_MAX_LENGTH, TITLE_MAX_LENGTH, nftKinds } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, route } from './route.ts'
import { nft } from './nfts.ts'
import { reason } from './staff.ts'
import { stakePlan } from './staking.ts'

/**
 * Changes of what the house promises: one person proposes, another approves (four eyes). What is proposed holds from the
 * approval on; what was bought before keeps its own figures.
 */

const percent = v.pipe(echoed, v.maxValue<bigint, bigint, string>(1_000_000_000_000n, 'Must be at most 10000'))
const share = v.pipe(echoed, v.maxValue<bigint, bigint, string>(10_000_000_000n, 'Must be at most 100'))
const count = (max: number) =>
  v.pipe(
    v.number('This field is required'),
    v.integer('Must be a whole number'),
    v.minValue(1, 'Must be at least 1'),
    v.maxValue(max, `Must be at most ${max}`),
  )
const onSale = v.picklist(['ACTIVE', 'INACTIVE'], 'Invalid status')
const fiveShares = v.pipe(v.array(share), v.length(5, 'Five levels are needed'))

/** Price of the coin, USD for one. */
export const priceValue = v.strictObject({ coinPrice: coinInput })

/** The operator's settings; what is left out stays (CO-15, CO-47, LS-37, VA-15, VA-38, VA-46). */
export const settingsValue = v.partial(
  v.strictObject({
    minCoin: coinInput,
    maxCoin: coinInput,
    convertRate: coinInput,
    exchangeLimit: share,
    exchangeCooldownHours: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8760)),
    platformFeePercent: share,
    networkFeePercent: share,
    bridgeFeePercent: share,
    bridgeMinimum: echoed,
    buyTokenCreditWallet: v.picklist(['newIcoWallet', 'icoWallet', 'nativeWallet']),
    allowedEmailDomains: v.pipe(
      v.array(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'Invalid domain'))),
      v.minLength(1, 'At least one domain is needed'),
      v.maxLength(100, 'Maximum length is 100'),
    ),
  }),
)

/** A stake plan: new without planId, changed with it (EN-30, RW-09). */
export const planValue = v.strictObject({
  planId: v.optional(id),
  planName: line(NAME_MAX_LENGTH),
  duration: count(3650),
  minimum: coinInput,
  apy: percent,
  omega: v.optional(v.boolean(), false),
  status: onSale,
})

/** An NFT of the catalogue: new without nftId, changed with it (EN-36). */
export const nftValue = v.strictObject({
  nftId: v.optional(id),
  name: line(NAME_MAX_LENGTH),
  title: line(TITLE_MAX_LENGTH),
  walletName: v.picklist(nftKinds, 'Invalid NFT kind'),
  price: usdInput,
  duration: count(120),
  dailyRoi: percent,
  status: onSale,
})

/** The announcement (EN-19). */
export const popupValue = v.strictObject({ title: line(TITLE_MAX_LENGTH), message: prose(2000), isActive: v.boolean() })

/** A number of hours. */
const hours = (min: number, max: number) =>
  v.pipe(
    v.number('This field is required'),
    v.integer('Must be a whole number'),
    v.minValue(min, `Must be at least ${min}`),
    v.maxValue(max, `Must be at most ${max}`),
  )

/**
 * A payout or credit above the amount needs a second person; how many invoices a member may have open; how long payouts and
 * addresses wait, and how much may be paid out within 24 hours, to one member and in total.
 */
export const limitsValue = v.partial(
  v.strictObject({
    fourEyesAboveUsd: echoed,
    fourEyesAboveCoin: echoed,
    openInvoices: count(100),
    payoutConfirmHours: hours(1, 168),
    addressDelayHours: hours(0, 720),
    payoutHoldHours: hours(0, 720),
    /** Payouts of both kinds that a member may ask for within 24 hours, those that went back included. */
    payoutDayCount: count(1000),
    payoutDayUsd: coinInput,
    payoutDayCoin: coinInput,
    payoutDayTotalUsd: coinInput,
    payoutDayTotalCoin: coinInput,
  }),
)

/** The reward programme in percent and ranks (RW-01 to RW-09); what is left out stays. */
export const programmeValue = v.partial(
  v.strictObject({
    referralPercent: share,
    levelPercents: fiveShares,
    bountyPercents: fiveShares,
    stakeLogLevelPercents: fiveShares,
    stakeLogBountyPercents: fiveShares,
    nftLevelPercents: fiveShares,
    nftBountyPercents: fiveShares,
    fullLevelShareDays: count(36_500),
    ranks: v.pipe(v.array(v.strictObject({ rank: line(40), teamStake: coinInput, bonus: echoed })), v.maxLength(20, 'At most 20 ranks')),
  }),
)

/**
 * What stands against promised rewards besides the pool: what the operator has bound itself to put into it when it is needed,
 * and whether sales stop when that does not suffice (`enforce`) or it is only shown (`observe`).
 */
export const coverValue = v.partial(
  v.strictObject({ coverageMode: v.picklist(['enforce', 'observe'], 'Invalid mode'), committedCoin: echoed, committedUsd: echoed }),
)

/** What can be proposed. */
export const proposal = v.variant('subject', [
  v.strictObject({ subject: v.literal('price'), value: priceValue, reason }),
  v.strictObject({ subject: v.literal('settings'), value: settingsValue, reason }),
  v.strictObject({ subject: v.literal('plan'), value: planValue, reason }),
  v.strictObject({ subject: v.literal('nft'), value: nftValue, reason }),
  v.strictObject({ subject: v.literal('popup'), value: popupValue, reason }),
  v.strictObject({ subject: v.literal('limits'), value: limitsValue, reason }),
  v.strictObject({ subject: v.literal('programme'), value: programmeValue, reason }),
  v.strictObject({ subject: v.literal('cover'), value: coverValue, reason }),
])
export type Proposal = v.InferOutput<typeof proposal>

/**
 * What a change can be about: a proposal, or an act above the four-eyes limit that its own call filed (`credit`, `fund`),
 * the undoing of a purchase (`undo`), rewards that are taken back (`cancel-rewards`) or a role of staff (`staff`).
 */
export const changeSubjects = [
  'price',
  'settings',
  'plan',
  'nft',
  'popup',
  'limits',
  'programme',
  'cover',
  'credit',
  'fund',
  'staff',
  'undo',
  'cancel-rewards',
  'second-factor',
  'sessions',
  'status',
  'lift-stop',
] as const
export type ChangeSubject = (typeof changeSubjects)[number]

/** A proposed change; `before` and `value` are JSON as they stood, amounts as plain decimals. */
export const changeRow = v.object({
  id: answerId,
  subject: v.picklist(changeSubjects),
  value: v.unknown(),
  before: v.unknown(),
  reason: v.string(),
  status: v.picklist(['PENDING', 'APPROVED', 'REFUSED']),
  proposedBy: v.string(),
  /** Whether the reader proposed it and so cannot approve it. */
  mine: v.boolean(),
  decidedBy: v.nullish(v.string()),
  decisionReason: v.nullish(v.string()),
  createdAt: moment,
  decidedAt: v.nullish(moment),
})

/**
 * What a group of members could take out at an unchanged price (RW-14), in percent of its money: once, and in 30 days of all
 * that is there; null: without a bound. The moves say how.
 */
const bound = v.object({ once: amount, perMonth: v.nullable(amount), moves: v.array(v.object({ what: v.string(), percent: amount })) })

export const staffCatalogue = route({
  name: 'staffCatalogue',
  method: 'GET',
  path: '/staff/catalogue',
  access: 'staff',
  summary: 'Everything that can be changed as it holds now: price, settings, limits, programme, its cover, announcement, plans, NFTs.',
  reply: v.object({
    version: v.string(),
    coinPrice: amount,
    settings: v.required(settingsValue),
    limits: v.required(limitsValue),
    programme: v.required(programmeValue),
    cover: v.required(coverValue),
    popup: v.nullable(popupValue),
    plans: v.array(stakePlan),
    nfts: v.array(nft),
    bound,
  }),
})

export const staffChanges = route({
  name: 'staffChanges',
  method: 'GET',
  path: '/staff/changes',
  access: 'staff',
  summary: 'Proposed changes, newest first; `status` narrows it.',
  query: v.object({ ...listQueryEntries, status: v.optional(v.picklist(['PENDING', 'APPROVED', 'REFUSED'], 'Invalid status')) }),
  reply: listOf(changeRow),
})

export const proposeChange = route({
  name: 'proposeChange',
  method: 'POST',
  path: '/staff/changes',
  access: 'staff',
  summary: 'Proposes a change for another member of staff to approve.',
  body: proposal,
  reply: v.object({ id: answerId, bound: v.optional(bound) }),
  errors: ['CONVERT_RATE_TOO_LOW', 'NOT_FOUND', 'NOT_COVERED'],
})

export const approveChange = route({
  name: 'approveChange',
  method: 'POST',
  path: '/staff/changes/:id/approve',
  access: 'staff',
  summary: 'Puts a proposed change in force; never by the one who proposed it.',
  params: idParams,
  body: v.strictObject({ reason: v.optional(reason) }),
  reply: nothing,
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'FOUR_EYES',
    'CHANGE_OUTDATED',
    'CONVERT_RATE_TOO_LOW',
    'NOT_COVERED',
    'SPECIAL_MEMBERS_ONLY',
    'UNDO_REFUSED',
    'INSUFFICIENT_BALANCE',
    'COIN_SOLD_OUT',
  ],
})

export const refuseChange = route({
  name: 'refuseChange',
  method: 'POST',
  path: '/staff/changes/:id/refuse',
  access: 'staff',
  summary: 'Refuses a proposed change, or takes back an own one.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})
