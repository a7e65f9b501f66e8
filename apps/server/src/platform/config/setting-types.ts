import { isIP, isIPv6 } from 'node:net'
import { parseUnits } from '@tizara/money'
import * as v from 'valibot'
import { networkList } from '../runtime/networks.ts'

/** Value types of settings. Each type parses text. */
export const text = v.string()
export const secret = v.string()

/** Items with commas between them, lower case, blanks left out. */
const list = v.pipe(
  v.string(),
  v.transform((items) =>
    items
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter((item) => item !== ''),
  ),
)

export const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port number'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a port number'),
)
/**
 * A PostgreSQL URL, parsed like the driver does, because a malformed URL would look like an unreachable server. Error messages never
 * contain the URL, because it contains a password.
 */
export const postgresUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must be postgres://USER:PASSWORD@HOST:PORT/NAME'),
  v.check(isParsableUrl, 'cannot be read: in a password write %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %'),
)

function isParsableUrl(address: string): boolean {
  try {
    // A URL without a host names a socket in `?host=`.
    const { username, password, hash } = new URL(address.replace('@/', '@socket/'))
    return hash === '' && decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

export const url = v.pipe(v.string(), v.url('must be a URL'))
/** URLs with commas between them. */
export const urls = v.pipe(
  v.string(),
  v.check((written) => written.split(',').every((one) => URL.canParse(one.trim())), 'must be URLs with commas'),
)
export const positive = v.pipe(v.string(), v.transform(Number), v.number(), v.minValue(0.001, 'must be above 0'))
/** A price in USD, in units of 10^-8. */
export const price = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}(\.\d{1,8})?$/, 'must be a price in USD'),
  v.transform((written) => parseUnits(written) ?? 0n),
  v.minValue(1n, 'must be above 0'),
)
export const share = v.pipe(v.string(), v.transform(Number), v.number(), v.minValue(0, 'must be 0 to 1'), v.maxValue(1, 'must be 0 to 1'))
export const flag = v.picklist(['on', 'off'])

/** One of several allowed words. */
export const one = <const W extends readonly string[]>(mailTextOf: W, byDefault: W[number]) => v.optional(v.picklist(mailTextOf), byDefault)

/** A whole number between two bounds, which belong to it. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be ${min} to ${max}`),
    v.maxValue(max, `must be ${min} to ${max}`),
  )

/** Lower case, as browsers write hosts: `pay.example` or `pay.example:8443`. */
export const hosts = v.pipe(
  list,
  v.array(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be host names, with a port where it is not the usual one'))),
)

/** Returns true for an IP address, with /32 for IPv4 or /64 for IPv6 allowed behind it. */
function isNetwork(network: string): boolean {
  const [ip = '', length, ...more] = network.split('/')
  return more.length === 0 && isIP(ip) !== 0 && (length === undefined || length === (isIPv6(ip) ? '64' : '32'))
}

/** Comma-separated networks, each accepted by {@link isNetwork}. */
export const networks = v.pipe(
  list,
  v.check((items) => items.every(isNetwork), 'must be IP addresses, and IPv6 networks that end with /64'),
)

/** Comma-separated networks of any length, in CIDR notation. */
export const cidrNetworks = v.pipe(
  list,
  v.check((items) => networkList(items) !== undefined, 'must be networks such as 10.1.0.0/16, with commas'),
)

const isDomain = (written: string): boolean =>
  written.includes('.') && written.split('.').every((label) => /^[a-z0-9][a-z0-9-]*$/.test(label))
/** Domains of mail addresses with commas between them, lower case. */
export const domains = v.pipe(
  list,
  v.check((items) => items.length > 0 && items.every(isDomain), 'must be domains such as gmail.com, with commas'),
)

/** Mail addresses with commas between them. */
export const mailAddresses = v.pipe(
  list,
  v.check((items) => items.every((item) => v.is(v.pipe(v.string(), v.email()), item)), 'must be mail addresses, with commas'),
)

/** Comma-separated origins, in the form that browsers send. `null` and `*` are rejected, because both would allow any site. */
export const origins = v.pipe(
  list,
  v.check((items) => items.every(isOrigin), 'must be origins such as https://app.example, without a path, and not * or null'),
)

function isOrigin(written: string): boolean {
  return /^https?:/.test(written) && URL.canParse(written) && new URL(written).origin === written
}

/** Public keys of age (X25519) with commas between them. */
export const ageRecipients = v.pipe(
  list,
  v.array(v.pipe(v.string(), v.regex(/^age1[02-9ac-hj-np-z]{58}$/, 'must be public keys of age: age1 and 58 letters or digits'))),
)

/** An address of an EVM chain, lower case. */
export const evmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'), v.toLowerCase())

/** Addresses of an EVM chain with a signature each, `ADDRESS=SIGNATURE`, with commas between them. Lower case. */
export const signedAddresses = v.pipe(
  list,
  v.maxLength(50, 'must be 50 addresses or fewer'),
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^0x[0-9a-f]{40}=0x[0-9a-f]{130}$/, 'must be ADDRESS=SIGNATURE: 0x and 40 hex digits, 0x and 130 hex digits'),
      v.transform((item) => ({ address: item.slice(0, 42), signature: item.slice(43) })),
    ),
  ),
)

export const blockNumber = v.pipe(v.string(), v.regex(/^\d{1,12}$/, 'must be the number of a block'), v.transform(Number))

const sentence = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000))
const mailTextOf = (minLines: number) =>
  v.optional(
    v.strictObject({
      subject: v.optional(sentence),
      lines: v.optional(v.pipe(v.array(sentence), v.minLength(minLines), v.maxLength(20))),
    }),
  )

/** The operator's text for account mails. The code or link follows the first line, a link beside a code the second. */
export const mailTexts = v.pipe(
  v.string(),
  v.parseJson(undefined, 'must be JSON'),
  v.strictObject(
    { verification: mailTextOf(2), anotherRegistration: mailTextOf(1), reset: mailTextOf(1) },
    'must name mails and their words',
  ),
)

export type MailTexts = v.InferOutput<typeof mailTexts>
