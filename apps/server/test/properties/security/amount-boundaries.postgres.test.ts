import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchSample } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, moneyInstance, type Person, type ReadyCall } from '../../money-calls.ts'
import { storedState } from '../../stored-state.ts'

/** Other notations for the figure `n`. The server accepts them as the same amount, or rejects them. */
const SAME: readonly ((n: string) => string)[] = [
  (n) => `"${n}"`,
  (n) => `${n.includes('.') ? n : `${n}.`}000`,
  (n) => `${n}e0`,
  (n) => `${n}E+0`,
  (n) => `"${n.includes('.') ? n : `${n}.`}000000000"`,
  (n) => `"00${n}"`,
  (n) => `"\\u003${n[0]}${n.slice(1)}"`,
]

/** JSON values replacing `n` with another value. `name` is the field's name. */
const OTHER: Readonly<Record<string, (n: string, name: string) => string>> = {
  'an exponent as text': (n) => `"${n}e0"`,
  'thousandfold by an exponent as text': (n) => `"${n}e3"`,
  'hex as text': (n) => `"0x${Math.ceil(Number(n)).toString(16)}"`,
  'hex as number': (n) => `0x${Math.ceil(Number(n)).toString(16)}`,
  'octal as number': (n) => `0${n}`,
  'binary as text': () => '"0b1"',
  'a plus as text': (n) => `"+${n}"`,
  'a plus as number': (n) => `+${n}`,
  'negative as text': (n) => `"-${n}"`,
  'negative as number': (n) => `-${n}`,
  'a minus of another alphabet': (n) => `"\u2212${n}"`,
  'minus zero': () => '-0',
  'minus zero as text': () => '"-0"',
  zero: () => '0',
  'a ninth decimal': (n) => `${n.includes('.') ? n.padEnd(n.indexOf('.') + 9, '0') : `${n}.00000000`}1`,
  'a ninth decimal as text': (n) => `"${n.includes('.') ? n.padEnd(n.indexOf('.') + 9, '0') : `${n}.00000000`}1"`,
  'an eighth decimal more': (n) => `"${(Number(n) + 1e-8).toFixed(8)}9"`,
  'a negative exponent far down': () => '1e-400',
  NaN: () => 'NaN',
  'NaN as text': () => '"NaN"',
  Infinity: () => 'Infinity',
  'Infinity as text': () => '"Infinity"',
  'beyond doubles': () => '1e999',
  '2^53 + 1': () => '9007199254740993',
  '2^63 - 1 units': () => '"92233720368.54775807"',
  '2^63 units': () => '"92233720368.54775808"',
  '2^63': () => '9223372036854775808',
  'n after 2^64 units': (n) => `"${(2n ** 64n + BigInt(Math.round(Number(n) * 1e8))).toString().replace(/(\d{8})$/, '.$1')}"`,
  yes: () => 'true',
  no: () => 'false',
  nothing: () => 'null',
  'a list': (n) => `[${n}]`,
  'a list of text': (n) => `["${n}"]`,
  'two in a list': (n) => `[${n},${n}]`,
  'an object with a text form': (n) => `{"toString":"${n}","valueOf":${n}}`,
  'an object of Mongo': () => '{"$gt":0}',
  'a key of prototypes': (n) => `{"__proto__":{"amount":${n}}}`,
  'twice, the second less': (n, name) => `${n},"${name}":0.01`,
  'twice, the second the same, escaped': (n, name) => `${n},"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":${n}`,
  'with a prototype beside': (n) => `${n},"__proto__":{"amount":1}`,
  'with a constructor beside': (n) => `${n},"constructor":{"prototype":{"amount":1}}`,
  'full-width digits': (n) => `"${n.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))}"`,
  'Arabic digits': (n) => `"${n.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))}"`,
  'a full-width dot': (n) => `"${n}\uff0e0"`,
  'a comma for the dot': (n) => `"${n},00"`,
  'thousands in groups': (n) => `"1,${n.padStart(6, '0')}"`,
  'thousands in groups, by blanks': (n) => `"1 ${n.padStart(6, '0')}"`,
  'thousands by underscores': (n) => `"1_${n}"`,
  'a blank before': (n) => `" ${n}"`,
  'a line break after': (n) => `"${n}\\n"`,
  'something unseen inside': (n) => `"${n[0]}\u200b${n.slice(1)}"`,
  'a null character after': (n) => `"${n}\\u0000"`,
  'a dot before': (n) => `".${n}"`,
  'a dot after': (n) => `"${n}."`,
  'two dots': (n) => `"${n}.0.0"`,
  'with its coin': (n) => `"${n} USD"`,
  'a dollar before': (n) => `"$${n}"`,
  'a percent after': (n) => `"${n}%"`,
  'a bigint of JavaScript': (n) => `"${n}n"`,
  'as a sum': (n) => `"${n}+0"`,
  empty: () => '""',
  'many digits': (n) => `"${'0'.repeat(5000)}${n}"`,
  'many decimals': (n) => `"${n}${'0'.repeat(5000)}"`,
}

const { db } = await testDatabase()
const instance = await moneyInstance(db)

const raw = async ({ path, who, body }: ReadyCall, name: string, text: string) => {
  const json = `{${Object.entries(body)
    .map(([key, value]) => `${JSON.stringify(key)}:${key === name ? text : JSON.stringify(value)}`)
    .join(',')}}`
  return instance.at.app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { 'content-type': 'application/json', authorization: who?.token ?? '', 'idempotency-key': instance.at.deps.ids.publicId() },
    payload: json,
  })
}
/** Returns the amounts moved or requested by the newest calls, in units. */
const doneSince = async ({ transfer, deposit, change }: Awaited<ReturnType<typeof newest>>) => {
  const { rows } = await sql<{ what: string; amount: bigint }>`
      select kind as what, amount from ledger_transfer where id > ${transfer}
      union all select 'deposit', amount from deposit where id > ${deposit}
      union all select 'change', ((value ->> 'amount')::numeric * 100000000)::bigint from staff_proposal where id > ${change}
      order by 1, 2`.execute(db)
  return rows
}
const newest = async () => {
  const { rows } = await sql<{ transfer: bigint; deposit: bigint; change: bigint }>`
      select (select coalesce(max(id), 0) from ledger_transfer) as transfer, (select coalesce(max(id), 0) from deposit) as deposit,
        (select coalesce(max(id), 0) from staff_proposal) as change`.execute(db)
  return rows[0] ?? { transfer: 0n, deposit: 0n, change: 0n }
}

/** Creates a new person per call, because each exchange starts a cooldown. */
const somebody = (): Promise<Person> => instance.person({ specialRcm: true })
const figuresOf = async (route: string) => {
  const { body } = await instance.ready(route, await somebody(), instance.member)
  return Object.entries(body).flatMap(([name, value]) => (typeof value === 'number' ? [{ name, n: String(value) }] : []))
}

/** Calls without an amount. */
const WITHOUT_AMOUNT = new Set(['buyNft', 'rejectRequest', 'stopSending', 'reversePurchase'])

describe.each(MONEY_CALLS.map((route, index) => [route, index] as const))('unusual form of an amount: %s', (route, index) => {
  it('[I4] [I19] is rejected and changes nothing, or is that amount to the unit', async () => {
    const figures = await figuresOf(route)
    expect(figures.length > 0).toBe(!WITHOUT_AMOUNT.has(route))
    for (const { name, n } of figures) {
      const next = async () => instance.ready(route, await somebody(), instance.member)
      let call = await next()
      const before = await storedState(db)
      for (const [what, form] of searchSample(Object.entries(OTHER), index, 4)) {
        const reply = await raw(call, name, form(n, name))
        const about = `${route}.${name} as ${what}, ${form(n, name).slice(0, 60)}: ${reply.statusCode} ${reply.body.slice(0, 160)}`
        expect(reply.statusCode >= 400 && reply.statusCode < 500, about).toBe(true)
        expect(JSON.parse(reply.body), about).toMatchObject({ success: false, statusCode: reply.statusCode })
      }
      expect(await storedState(db), `${route}.${name}: a refused call changed something`).toBe(before)
      const plain = await (async () => {
        const mark = await newest()
        expect((await raw(call, name, n)).statusCode).toBe(200)
        return doneSince(mark)
      })()
      expect(plain).not.toEqual([])
      for (const form of searchSample(SAME, index, 3)) {
        call = await next()
        const mark = await newest()
        const reply = await raw(call, name, form(n))
        const done = await doneSince(mark)
        expect([form(n), done]).toEqual([form(n), reply.statusCode === 200 ? plain : []])
      }
    }
  })
})
