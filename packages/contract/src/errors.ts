interface Refusal {
  status: number
  message: string
}

/** Input errors, which clients share; pages load only these. */
export const inputErrors = {
  INVALID_AMOUNT: { status: 400, message: 'Invalid amount' },
  PHONE_REFUSED: { status: 400, message: 'Invalid Phone' },
  PASSWORD_MISMATCH: { status: 400, message: 'Password did not match' },
  OTP_REFUSED: { status: 400, message: 'Invalid or expired OTP' },
  SECOND_FACTOR_REQUIRED: { status: 400, message: 'Please enter the code of your authenticator app' },
  SECOND_FACTOR_REFUSED: { status: 400, message: 'The code of your authenticator app is not right' },
  STAFF_SECOND_FACTOR: { status: 400, message: 'Please set up an authenticator app in your profile, and sign in with it' },
  BELOW_MINIMUM: { status: 400, message: 'Minimum amount is {minimum}' },
  ABOVE_MAXIMUM: { status: 400, message: 'Maximum amount is {maximum}' },
  STAKE_TOO_SMALL: { status: 400, message: 'Stake amount must be greater than 1' },
} as const satisfies Record<string, Refusal>

/**
 * Catalogue with every refusal's HTTP status (API-15) and text (ER-70). Use cases throw the code; only this module maps it to status and
 * text. `{name}` is filled from the refusal's data.
 */
export const errorCatalogue = withInputErrors({
  INVALID_INPUT: { status: 400, message: 'Invalid input' },
  INSUFFICIENT_BALANCE: { status: 400, message: 'Insufficient balance' },
  INVALID_ADDRESS: { status: 400, message: 'Invalid wallet address' },
  USER_NOT_FOUND: { status: 400, message: 'User not found' },
  TRANSFER_TO_SELF: { status: 400, message: 'You cannot transfer to yourself' },
  REGISTRATION_CLOSED: { status: 400, message: 'Registration is not open yet, please try again later' },
  EMAIL_TAKEN: { status: 400, message: 'Email already exists' },
  EMAIL_UNCHANGED: { status: 400, message: 'This is the address of your account already' },
  EMAIL_LINK_INVALID: { status: 400, message: 'This link is not valid any more' },
  CONTACT_CHANGE_NEEDS_KNOWN_DEVICE: {
    status: 400,
    message: 'On a new device your password is not enough. Please use a device that you have used before, or try again later',
  },
  EMAIL_DOMAIN_REFUSED: { status: 400, message: 'Invalid Email' },
  PASSWORD_TOO_COMMON: { status: 400, message: 'This password is too easy to guess, please choose another' },
  LOGIN_REFUSED: { status: 400, message: 'Invalid email or password' },
  ACCOUNT_ERASED: { status: 400, message: 'The personal data of this account is erased, so it stays closed' },
  ACCOUNT_NOT_EMPTY: { status: 400, message: 'Your account cannot be closed yet. Your profile lists what must be settled first' },
  ACCOUNT_BLOCKED: { status: 400, message: 'Your account is blocked' },
  REFERRAL_UNKNOWN: { status: 400, message: 'Invalid referral code' },
  TERMS_NOT_ACCEPTED: { status: 400, message: 'Please accept the terms of use first: {link}' },
  TERMS_CHANGED: { status: 400, message: 'The terms of use have changed, please read them again' },
  TERMS_LINK_INVALID: { status: 400, message: 'This link is not valid any more' },
  EMAIL_NOT_VERIFIED: { status: 400, message: 'Please verify your email' },
  LINK_EXPIRED: { status: 400, message: 'Your verification link has been expired, please submit again' },
  RESET_LINK_EXPIRED: { status: 400, message: 'Your reset link has expired, please request a new one' },
  SECOND_FACTOR_ON: { status: 400, message: 'An authenticator app is already set up' },
  SECOND_FACTOR_OFF: { status: 400, message: 'No authenticator app is set up' },
  PASSKEY_REFUSED: { status: 400, message: 'This passkey is not right' },
  NO_PASSKEY: { status: 400, message: 'This account has no passkey' },
  PASSKEYS_FULL: { status: 400, message: 'Please remove a passkey first' },
  CURRENT_PASSWORD_WRONG: { status: 400, message: 'The current password is not right' },
  PRICE_CHANGED: { status: 400, message: 'Price has changed, please try again' },
  FEE_CHANGED: { status: 400, message: 'The fee has changed, please try again' },
  FIGURES_CHANGED: { status: 400, message: 'The figures of this plan have changed, please try again' },
  BELOW_MINIMUM_STAKE: { status: 400, message: 'Minimum stake amount is {minimum}' },
  PLAN_NOT_AVAILABLE: { status: 400, message: 'This plan is not available' },
  NFT_NOT_AVAILABLE: { status: 400, message: 'This NFT is not available' },
  NFT_SOLD_OUT: { status: 400, message: 'NFT sold out' },
  COIN_SOLD_OUT: { status: 400, message: 'The coin supply is used up' },
  SALES_FUND_SHORT: { status: 400, message: 'The sales fund has {available} USD now, which is less than this needs' },
  PROCEEDS_SHORT: { status: 400, message: 'Only {available} USD of the sales fund can be sent to the operator now' },
  NO_SURPLUS: { status: 400, message: 'The hot wallet has no such surplus above its ceiling, or another move of this asset is open' },
  SELL_REQUEST_OPEN: { status: 400, message: 'You already have an open sell request. Withdraw it before you leave another one' },
  EXCHANGE_TOO_SOON: { status: 400, message: 'The next exchange is possible at {at}' },
  NOT_COVERED: { status: 400, message: 'New purchases of this kind are paused until the reward pool is funded' },
  PROGRAMME_NOT_COVERED: {
    status: 400,
    message:
      'This programme is not covered: it would bring what is promised and owed to {wanted} {unit} ({added} of it new), and the reward pool and the commitment hold {there} {unit}',
  },
  COMMITMENT_TOO_LOW: {
    status: 400,
    message:
      'This commitment is too low: {wanted} {unit} are promised and owed, and the reward pool and the new commitment hold {there} {unit}',
  },
  SPECIAL_MEMBERS_ONLY: { status: 400, message: 'This wallet is for special members only' },
  TOO_MANY_OPEN_INVOICES: { status: 400, message: 'Please pay or wait for your open invoices first' },
  TICKET_CLOSED: { status: 400, message: 'This ticket is closed' },
  FILE_TOO_LARGE: { status: 400, message: 'File size should be less than 1 MB' },
  IMAGE_TOO_LARGE: { status: 400, message: 'File size should be less than 5 MB' },
  FILE_NOT_AN_IMAGE: { status: 400, message: 'Please choose a JPEG, PNG or WebP image' },
  LOGO_REFUSED: { status: 400, message: 'The logo cannot be used: {reason}' },
  FILE_REQUIRED: { status: 400, message: 'This field is required' },
  ALREADY_DECIDED: { status: 400, message: 'This request has already been decided' },
  TICKET_MOVED_ON: { status: 400, message: 'There is a newer message, please read it first' },
  ITEM_CHANGED: { status: 400, message: 'This request has changed since you opened it, please reload it' },
  PAYOUT_AFTER_RESTORE: {
    status: 400,
    message: 'Unsent payouts can be cancelled from the next full hour on, because the platform was restored',
  },
  NOT_APPROVED: { status: 400, message: 'This request has not been approved' },
  FOUR_EYES: { status: 400, message: 'Another staff member has to approve this' },
  CONVERT_RATE_TOO_LOW: { status: 400, message: 'The convert rate must not be below the coin price' },
  PAYOUT_HELD: { status: 400, message: 'The security settings of this account changed recently, so payouts are frozen until {at}' },
  PAYOUTS_STOPPED: {
    status: 400,
    message: 'The member has stopped all payouts. They resume after the member resets their password by email',
  },
  PAYOUT_UNCONFIRMED: { status: 400, message: 'The member has not confirmed this yet' },
  PAYOUT_CHANGED: { status: 400, message: 'Integrity check failed: this request was modified outside the application' },
  ADDRESS_FORGED: { status: 400, message: 'Integrity check failed: this address was modified outside the application' },
  TRANSFER_FORGED: { status: 400, message: 'Integrity check failed: this transfer was modified outside the application' },
  APPROVAL_FORGED: { status: 400, message: 'Integrity check failed: the first approval on record is not valid' },
  IMPORT_CHANGED: { status: 400, message: 'Integrity check failed: {tables} changed after the check. Propose the files again' },
  PAYOUT_DAY_COUNT: { status: 400, message: 'At most {limit} payouts can be requested within 24 hours' },
  PAYOUT_DAY_LIMIT: { status: 400, message: 'At most {limit} can be paid out within 24 hours' },
  PAYOUT_NEEDS_PROOF: {
    status: 400,
    message: 'Above {limit} within 24 hours, payouts go only to an address that you have proven in your address book',
  },
  PAYOUT_LINK_INVALID: { status: 400, message: 'This link is not valid any more' },
  CONFIRMATION_EXPIRED: { status: 400, message: 'The confirmation period has expired' },
  DEVICE_NOT_TRUSTED: {
    status: 400,
    message: 'On a new device your password is not enough. Please leave it empty and confirm with the link that we mail you',
  },
  STEP_UP_REFUSED: { status: 400, message: 'Please confirm this once more' },
  ADDRESS_IN_BOOK: { status: 400, message: 'This address is already in your address book' },
  ADDRESS_BOOK_FULL: { status: 400, message: 'Your address book is full, please remove an address first' },
  PAYEE_NAMES_FULL: { status: 400, message: 'You have given names to 20 people, please remove one first' },
  ADDRESS_NOT_PROVABLE: { status: 400, message: 'Only BEP(20) and ERC(20) addresses can be proven' },
  ADDRESS_PROOF_EXPIRED: { status: 400, message: 'The message to sign has expired, please start again' },
  ADDRESS_PROOF_REFUSED: {
    status: 400,
    message: 'The signature does not prove this address. Please sign with the account of this address',
  },
  ADDRESS_PROOF_EMPTY: { status: 400, message: 'The contract at this address accepts every signature, so this proves nothing' },
  ADDRESS_PROOF_UNKNOWN: { status: 503, message: 'The chain could not confirm the signature, please try again later' },
  REVERSAL_REFUSED: { status: 400, message: 'This transfer cannot be reversed: {why}' },
  PURCHASE_NOT_REVERSIBLE: { status: 400, message: 'This purchase cannot be reversed: {why}' },
  CHANGE_OUTDATED: { status: 400, message: 'The values have changed since this was proposed, please propose it again' },
  STOPPED: { status: 400, message: 'Payouts and rewards are paused: {why}' },
  SIMULATION_NEEDED: { status: 400, message: 'Please run the simulation for exactly these figures' },
  PRICE_STEP: {
    status: 400,
    message: 'Prices may change by at most {percent} % within 24 hours. Plan a larger change at least a day ahead, so that members see it',
  },
  START_IN_PAST: { status: 400, message: 'The start must be in the future' },
  RUN_IN_PROGRESS: { status: 400, message: 'A reward run is already in progress' },
  STAFF_HAVE_NO_WALLETS: { status: 400, message: 'Staff accounts have no wallets' },
  STAFF_HAVE_OWN_ACCOUNTS: {
    status: 400,
    message: 'Staff need an account of their own. This account has had money, deposits or a team',
  },
  VIEW_LIMIT: {
    status: 429,
    message: 'You have reached the hourly limit for personal data. Ask an admin to allow more, or continue from {at} on',
  },
  STAFF_SUSPENDED: { status: 400, message: 'A colleague has suspended your staff rights until {at}' },
  SUSPENDER_WAITS: { status: 400, message: 'You have suspended a colleague. You can decide again from {at} on' },
  SUSPENSION_LIMIT: { status: 400, message: 'You can suspend one colleague within 24 hours' },
  EVENT_CURSOR_INVALID: {
    status: 400,
    message: 'This cursor is no longer valid. Read the events again without a cursor, and skip those whose id you know',
  },
  SCREENING_LIST_REFUSED: { status: 400, message: 'The list cannot be used: {reason}' },
  SCREENING_OPEN: { status: 400, message: 'The screening of this member is not finished, or nobody has decided about its matches' },
  TRANSFER_CHECKED: { status: 400, message: 'This transfer is being checked, please try again later' },
  WEBHOOKS_FULL: { status: 400, message: 'Please end a webhook endpoint first' },
  API_KEYS_FULL: { status: 400, message: 'Please end an API key first' },
  API_KEY_RIGHT_MISSING: { status: 400, message: 'This API key has no right to this call' },
  API_KEY_NETWORK_REFUSED: { status: 400, message: 'This API key is not valid from your network' },
  VIEW_ONLY: { status: 400, message: 'You are viewing this account as staff, read-only' },
  STAFF_ONLY: { status: 404, message: 'Not found' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  IDEMPOTENCY_KEY_REUSED: { status: 400, message: 'This idempotency key was used for another request' },
  IDEMPOTENCY_KEY_INVALID: { status: 400, message: 'Invalid idempotency key' },
  IDEMPOTENCY_RUNNING: { status: 409, message: 'The same request is still running, please wait' },
  CALL_REPEATED: {
    status: 400,
    message: 'This looks like a duplicate. To send it again, wait 10 seconds',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported content type' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large' },
  TOKEN_EXPIRED: { status: 403, message: 'Access token expired' },
  UNAUTHENTICATED: { status: 401, message: 'Please sign in' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests, please try again later' },
  PAYMENT_PROVIDER_DOWN: { status: 503, message: 'The payment service does not answer, please try again later' },
  BUSY: { status: 503, message: 'The service is busy, please try again' },
  INTERNAL: { status: 500, message: 'Something went wrong' },
})

/*#__NO_SIDE_EFFECTS__*/
function withInputErrors<const Others extends Record<string, Refusal>>(others: Others): typeof inputErrors & Others {
  return { ...inputErrors, ...others }
}

export type ErrorCode = keyof typeof errorCatalogue

/** Error of one field (EN-05). */
export interface FieldError {
  path: string
  message: string
}

/** Body of every error response (API-10, EN-04, invariant I20), with exactly these four keys. */
export interface ErrorBody {
  statusCode: number
  message: string
  errorMessages: FieldError[]
  success: false
}

/** Formats a refusal's text. */
export function errorMessage(code: ErrorCode, data: Record<string, string> = {}): string {
  return filled(errorCatalogue[code].message, data)
}

/** Formats the text of a refusal that clients also show themselves. */
export function inputMessage(code: keyof typeof inputErrors, data: Record<string, string> = {}): string {
  return filled(inputErrors[code].message, data)
}

const filled = (text: string, data: Record<string, string>): string => text.replace(/\{(\w+)\}/g, (_, name: string) => data[name] ?? '')
