import { ONE, type Units } from '@tizara/money'

/**
 * Values of the requirements for server and web app (CO rows). Amounts are units. For operator settings these are the defaults; the
 * settings routes return the current values.
 */

const whole = (count: bigint): Units => count * ONE

/** Response timeout in milliseconds (CO-01, API-04). */
export const REQUEST_TIMEOUT_MS = 30_000
/** Minimum password length (CO-06). */
export const PASSWORD_MIN_LENGTH = 6
/** Maximum password length before hashing. */
export const PASSWORD_MAX_LENGTH = 256
/** Minimum referral code length (CO-07). */
export const REFERRAL_CODE_MIN_LENGTH = 6
/** Default email domains for sign-up (CO-05, VA-15). */
export const DEFAULT_EMAIL_DOMAINS = ['gmail.com', 'yahoo.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'outlook.com'] as const

/** Days from the approval of an account recovery to its completion. Payouts are frozen for as long after it. */
export const RECOVERY_DAYS = 7

/** Deposit bounds, USD or coin (CO-11). */
export const DEPOSIT_MIN: Units = whole(1n)
export const DEPOSIT_MAX: Units = whole(100_000n)
/** Minimum withdrawal from the deposit wallet, USD (CO-12). */
export const WITHDRAWAL_MIN: Units = whole(10n)
/** Withdrawal fees in percent: platform 5 % plus network 2 % make CO-13's 7 % (CO-20, LS-37). */
export const DEFAULT_PLATFORM_FEE_PERCENT: Units = whole(5n)
export const DEFAULT_NETWORK_FEE_PERCENT: Units = whole(2n)
/** Default USD per coin for NFT wallet conversions (CO-14, CO-15). */
export const DEFAULT_CONVERT_RATE: Units = 800_000n
/** Conversion step and minimum, USD (CO-14). */
export const CONVERT_STEP: Units = ONE / 2n
export const CONVERT_MIN: Units = whole(1n)
/** Maximum per transfer: USD between members and wallets, coin from the RCM wallet (CO-16). */
export const TRANSFER_MAX: Units = whole(10_000n)
/** Minimum transfer to another member, USD (CO-17). */
export const USER_TRANSFER_MIN: Units = whole(5n)
/** Minimum swap from My Wallet (`icoWallet`) to USD, coin (CO-18). */
export const SWAP_TO_USD_MIN: Units = whole(1000n)
/** Minimum coin purchase (CO-19). */
export const BUY_TOKEN_MIN: Units = whole(1n)
/** Exclusive stake minimum, coin (VA-64). */
export const STAKE_ABOVE: Units = whole(1n)

/** Maximum coin supply (CO-21). */
export const TOTAL_SUPPLY: Units = whole(15_000_000_000n)
/** Names of the NFT kinds in the API (EN-36). */
export const nftKinds = ['dome', 'wagon', 'hotelAndResort', 'land'] as const
export type NftKind = (typeof nftKinds)[number]
/** Maximum NFTs per kind (CO-22, CO-23, CO-24, CO-25). */
export const NFT_SUPPLY: Readonly<Record<NftKind, number>> = { dome: 10_000, wagon: 25_000, hotelAndResort: 55_000, land: 110_000 }

/** A new instance's operator settings (CO-47). */
export const DEFAULT_COIN_PRICE: Units = 800_000n
export const DEFAULT_MIN_COIN: Units = whole(1n)
export const DEFAULT_MAX_COIN: Units = whole(10_000_000n)
export const DEFAULT_EXCHANGE_LIMIT_PERCENT: Units = whole(10n)

/** One-time code: length and resend delay (CO-33, CO-34, CO-35). */
export const OTP_LENGTH = 6
export const OTP_RESEND_SECONDS = 90
/** Invoice lifetime, poll interval and finality (CO-36 to CO-40). */
export const INVOICE_VALID_MINUTES = 20
export const INVOICE_POLL_SECONDS = 15
export const INVOICE_NETWORK = 'BEP20'
export const INVOICE_CONFIRMATIONS = 12
/** Maximum upload of a profile image in bytes. */
export const PROFILE_IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** Maximum upload in bytes (CO-41, VA-84, VA-87). */
export const UPLOAD_MAX_BYTES = 1_048_576

/** Values of the bridge networks in the API (EN-58). */
export const bridgeNetworks = { 'BEP(20)': 0, 'ERC(20)': 1, 'TRC(20)': 2 } as const

/** Maximum text input lengths, in characters. */
export const NAME_MAX_LENGTH = 100
export const TITLE_MAX_LENGTH = 200
export const MESSAGE_MAX_LENGTH = 5000
export const REASON_MAX_LENGTH = 500
