import * as v from 'valibot'
import { coinInput, echoed, id, line, prose, usdInput } from './fields.ts'
import { NAME_MAX_LENGTH, TITLE_MAX_LENGTH, nftKinds } from './limits.ts'
import { segmentEntries } from './staff-segments.ts'

/** Editable fields of the operator's offer (`staff-changes.ts`). */

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

/** Message to the active members of a segment, to their inbox and by mail. Without criteria it goes to all active members. */
export const messageValue = v.strictObject({ title: line(80), text: prose(500), segment: v.strictObject(segmentEntries) })
export type MessageValue = v.InferOutput<typeof messageValue>

/** Price of one coin in USD. */
export const priceValue = v.strictObject({ coinPrice: coinInput })

/** The operator's settings; absent fields stay unchanged [CO-15, CO-47, LS-37, VA-15, VA-38, VA-46]. */
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

/** A stake plan: new without planId, otherwise an edit [EN-30, RW-09]. */
export const planValue = v.strictObject({
  planId: v.optional(id),
  planName: line(NAME_MAX_LENGTH),
  duration: count(3650),
  minimum: coinInput,
  apy: percent,
  omega: v.optional(v.boolean(), false),
  status: onSale,
})

/** An NFT of the catalogue: new without nftId, otherwise an edit [EN-36]. */
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

/** The announcement [EN-19]. */
export const popupValue = v.strictObject({ title: line(TITLE_MAX_LENGTH), message: prose(2000), isActive: v.boolean() })

/** Address of a page outside the platform: https, without a password. */
const link = v.optional(
  v.nullable(
    v.pipe(
      line(300),
      v.check((text) => {
        const url = URL.parse(text)
        return url?.protocol === 'https:' && url.username === '' && url.password === ''
      }, 'Must be an address that starts with https://'),
    ),
  ),
  null,
)

/** Hash of an uploaded logo. */
const logo = v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Upload the logo first'))), null)

/**
 * Name and look of the platform. Absent fields take the default: the colours of the product, no links, and the name as the sender of
 * mails. Without a logo, the product's mark is shown.
 */
export const brandValue = v.strictObject({
  name: line(40),
  senderName: v.optional(v.nullable(line(60)), null),
  accent: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.transform((text): string => text.trim().toLowerCase()),
        v.regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #1a73e8'),
      ),
    ),
    null,
  ),
  logo,
  logoDark: logo,
  terms: link,
  privacy: link,
  imprint: link,
  support: link,
})
export type BrandValue = v.InferOutput<typeof brandValue>

/** Maximum terms of use in characters. Longer terms are a page of the operator. */
export const TERMS_MAX_LENGTH = 20_000

/** Terms of use: their text, or the address of a page. */
export const termsOfUseValue = v.pipe(
  v.strictObject({ text: v.optional(v.nullable(prose(TERMS_MAX_LENGTH)), null), link }),
  v.check(({ text, link: address }) => (text === null) !== (address === null), 'Give either a text or a link'),
)
export type TermsOfUseValue = v.InferOutput<typeof termsOfUseValue>

const hours = (min: number, max: number) =>
  v.pipe(
    v.number('This field is required'),
    v.integer('Must be a whole number'),
    v.minValue(min, `Must be at least ${min}`),
    v.maxValue(max, `Must be at most ${max}`),
  )

/**
 * Limits: amounts that require a second approval; open invoices per member; waits of payouts and addresses; and payouts within
 * 24 hours, per member and in total.
 */
export const limitsValue = v.partial(
  v.strictObject({
    fourEyesAboveUsd: echoed,
    fourEyesAboveCoin: echoed,
    openInvoices: count(100),
    payoutConfirmHours: hours(1, 168),
    addressDelayHours: hours(0, 720),
    payoutHoldHours: hours(0, 720),
    /** Longest delay of a new address that its member has proven. */
    provenDelayHours: hours(0, 720),
    /** Sums of payouts per member and 24 hours above which the address must be proven. */
    proofAboveUsd: echoed,
    proofAboveCoin: echoed,
    /** Maximum payout requests per member in 24 hours, including returned ones. */
    payoutDayCount: count(1000),
    /** USD per member and 24 hours for transfers to other members without confirmation. */
    unconfirmedTransferDayUsd: echoed,
    payoutDayUsd: coinInput,
    payoutDayCoin: coinInput,
    payoutDayTotalUsd: coinInput,
    payoutDayTotalCoin: coinInput,
    /** Days within which staff can reverse a stake or an NFT purchase. */
    reversalDays: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
    /** Staff are warned above this bound of a group's gain in 30 days [RW-14]. */
    boundWarningPercent: share,
    /** Target time in hours for decisions and first answers. The console marks later ones as late. */
    payoutTargetHours: hours(1, 720),
    depositTargetHours: hours(1, 720),
    changeTargetHours: hours(1, 720),
    answerTargetHours: hours(1, 720),
    /** Pages with personal data per staff member and hour; and phone numbers, addresses, images, member views and exports. */
    personalPagesPerHour: count(100_000),
    revealsPerHour: count(10_000),
  }),
)

/** Several values of price, settings and limits that change together; absent fields stay unchanged. */
export const valuesValue = v.strictObject({ coinPrice: v.optional(coinInput), ...settingsValue.entries, ...limitsValue.entries })

/** The reward programme in percent and ranks [RW-01 to RW-09]; absent fields stay unchanged. */
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

/** Import of members: the hash that the check of the files printed. */
export const importValue = v.strictObject({ hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Must be the hash of the check')) })

/** Hash of an uploaded list; null switches screening off. */
export const screeningListValue = v.strictObject({
  hash: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Upload the list first'))),
})

/** Commitment: the amounts that the operator must add to the reward pool when needed. Sales stop without coverage. */
export const commitmentValue = v.partial(v.strictObject({ committedCoin: echoed, committedUsd: echoed }))
