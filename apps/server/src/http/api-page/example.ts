/** The part of JSON Schema used for examples and shapes. */
export interface JsonSchema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  $ref?: string
}

/** Example values from the demo cast, by key. */
const CAST: Readonly<Record<string, unknown>> = {
  email: 'amara@example.com',
  name: 'Amara Okafor',
  phone: '+4915123456789',
  password: 'Play-money-2026',
  newPassword: 'Play-money-2027',
  currentPassword: 'Play-money-2026',
  confirmPassword: 'Play-money-2027',
  referralCode: 'AMARA7',
  myReferralCode: 'BRUNO7',
  otp: '482915',
  token: '482915',
  code: '482915',
  coinPrice: 0.008,
  coinAmount: 1000,
  totalPrice: 8,
  amount: 1000,
  usd: 10,
  stakeAmount: 1000,
  dailyRoy: 0.32876712,
  apy: 12,
  duration: 365,
  planName: 'Silver',
  wallet: 'nativewallet',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  to: '0x52908400098527886E0F7030069857D2E4169EE7',
  from: 'bruno@example.com',
  network: 0,
  payby: 'depositwallet',
  walletName: 'dome',
  language: 'es',
  eventId: '0195c2d1-7a3e-7b4c-8d5e-6f7a8b9c0d1e',
  title: 'A question about my stake',
  description: 'When is the first reward paid?',
  message: 'Thank you, that helps.',
  reason: 'seen on the bank statement',
  day: '2026-03-02',
  receipts: 'withdrawal.bXkWc3sZ1hT9vQ2pLr8dKe',
  allowedEmailDomains: 'gmail.com',
  accent: '#1a73e8',
  terms: 'https://example.com/terms',
  privacy: 'https://example.com/privacy',
  imprint: 'https://example.com/imprint',
  support: 'https://example.com/help',
}
/** Shares of the five upline levels, in percent. */
const LEVELS = [5, 3, 2, 1, 1]
const DATE = '2026-03-02T09:00:00.000Z'
const ID = 'bXkWc3sZ1hT9vQ2pLr8dKe'

/** Candidate texts for a pattern without a known name. */
const GUESSES = [
  '0123456789abcdef',
  '482915',
  'AMARA7',
  ID,
  '42',
  '2026-03-02',
  '2026-03',
  '2026',
  '0123456789abcdef'.repeat(4),
  '0x52908400098527886E0F7030069857D2E4169EE7',
  'ready',
  '+4915123456789',
  `withdrawal.${ID}`,
]

/** Builds an example value for a schema, with one row per list and the first variant of a union. */
export function exampleOf(schema: JsonSchema, key = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.examples !== undefined) return schema.examples[0]
  const known = CAST[key]
  if (schema.enum !== undefined) return schema.enum.includes(known) ? known : schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  const choice = choices?.find((one) => typeof known === one.type) ?? choices?.find((one) => one.type !== 'null')
  if (choice !== undefined) return exampleOf(choice, key, depth)
  if (schema.allOf !== undefined) return exampleOf(Object.assign({}, ...schema.allOf) as JsonSchema, key, depth)
  if (schema.properties !== undefined) {
    // Recursive schemas stop at the second level.
    const entries = depth > 9 ? [] : Object.entries(schema.properties)
    return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part, name, depth + 1)]))
  }
  if (/(?:level|bounty)percents$/i.test(key)) return LEVELS
  if (schema.items !== undefined || schema.type === 'array')
    return schema.items === undefined ? [] : [exampleOf(schema.items, key, depth + 1)]
  return plainExample(schema, key, known)
}

function plainExample(schema: JsonSchema, key: string, known: unknown): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'number' || type === 'integer') {
    const number = typeof known === 'number' ? known : /page|total|level|count|limit/i.test(key) ? 1 : 100
    return Math.max(schema.minimum ?? number, Math.min(schema.maximum ?? number, number))
  }
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'object') return {}
  const texts = [typeof known === 'string' ? known : schema.format === 'date-time' ? DATE : /id$/i.test(key) ? ID : 'text', ...GUESSES]
  const { pattern = '', minLength = 0, maxLength = Infinity } = schema
  const shape = new RegExp(pattern, 'u')
  return texts.find((text) => text.length >= minLength && text.length <= maxLength && shape.test(text)) ?? 'text'
}
