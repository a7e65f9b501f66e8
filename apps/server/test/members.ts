import type { StaffRole } from '@tizara/contract/staff'
import { formatUnits, type Units } from '@tizara/money'
import { hash } from '@node-rs/argon2'
import { TOTP } from 'otpauth'
import { shardsOf, systemAccountId, WALLETS } from '../src/ledger/chart-of-accounts.ts'
import { balanceOfSystemAccount, openAccounts, post, type WalletKind } from '../src/ledger/index.ts'
import { postResolved } from '../src/ledger/post.ts'
import { encryptedFactors } from '../src/modules/auth/index.ts'
import { applyPayment } from '../src/modules/deposits/provider/apply-payment.ts'
import { addMember, setSecondFactor } from '../src/modules/members/index.ts'
import { addressKey, type Network } from '../src/modules/withdrawals/addresses/address.rules.ts'
import { entryMac } from '../src/modules/withdrawals/addresses/address-mac.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { type DataKeys, encrypt } from '../src/platform/crypto/encrypt.ts'
import { systemClock } from '../src/platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'
import { randomIds } from '../src/platform/runtime/ids.ts'

/** Test members' default password. */
export const TEST_PASSWORD = 'violet-harbour-93'

/** Hashed once with low cost. Sign-in reads the cost from the hash. */
const testPasswordHash = hash(TEST_PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 })

/** Test member. */
export interface TestMember {
  id: bigint
  publicId: string
  email: string
  referralCode: string
}

/** Options for a test member. Defaults fill the rest. */
export interface TestMemberInput {
  name?: string
  email?: string
  phone?: string
  /** Argon2 hash for a password other than {@link TEST_PASSWORD}. */
  passwordHash?: string
  sponsorId?: bigint
  verified?: boolean
  active?: boolean
  role?: 'MEMBER' | StaffRole
  specialRcm?: boolean
  rank?: string
  /** Registration time. */
  at?: Date
}

let counter = 0

const isTransaction = (db: Db | Tx): db is Tx => db.isTransaction

/** Adds a member with seven empty wallets to the sponsor's team. */
export async function createTestMember(db: Db | Tx, options: TestMemberInput = {}): Promise<TestMember> {
  return isTransaction(db) ? create(db, options) : inTransaction(db, (tx) => create(tx, options))
}

async function create(tx: Tx, options: TestMemberInput): Promise<TestMember> {
  counter += 1
  const at = options.at ?? new Date('2026-01-05T08:00:00Z')
  const member = await addMember(
    tx,
    { clock: { ...systemClock, now: () => at }, ids: randomIds },
    {
      name: options.name ?? `Test Member ${counter}`,
      email: options.email ?? `member-${counter}-${randomIds.digits(8)}@gmail.com`,
      phone: options.phone ?? '+12025550143',
      passwordHash: options.passwordHash ?? (await testPasswordHash),
      sponsorId: options.sponsorId ?? null,
      isVerified: options.verified ?? true,
      passwordProved: options.verified ?? true,
      role: options.role ?? 'MEMBER',
    },
  )
  if (member === undefined) throw new Error(`the address ${options.email} is taken`)
  await tx
    .updateTable('member')
    .set({ is_active: options.active ?? true, is_special_rcm: options.specialRcm ?? false, rank: options.rank ?? null })
    .where('id', '=', member.id)
    .execute()
  await openAccounts(tx, member.id)
  return { id: member.id, publicId: member.public_id, email: member.email, referralCode: member.referral_code }
}

declare module '../src/ledger/transfer-kinds.ts' {
  /** Transfer kinds for tests and benches only. The product's audit reports them as damage. */
  interface DeclaredTransfers {
    tests: 'test' | 'testFunds' | 'testStake' | 'testStock' | 'testSpend' | 'pay' | 'fund' | 'dailyReward'
  }
}

/**
 * Funds a member's wallet: USD from SYS-DEPOSIT, coin from SYS-COIN. A deposit wallet receives new money.
 * @param amount units of 10^-8
 */
export async function fund(db: Db | Tx, memberId: bigint, wallet: WalletKind, amount: Units): Promise<void> {
  const asset = WALLETS[wallet].asset
  await post(db, {
    kind: 'testFunds',
    cause: { type: 'test', id: String(memberId) },
    at: new Date('2026-01-05T09:00:00Z'),
    transfers: [
      {
        from: { system: asset === 'USD' ? 'SYS-DEPOSIT' : 'SYS-COIN', asset },
        to: { owner: memberId, kind: wallet },
        amount,
        ...(wallet === 'depositWallet' ? { newMoney: amount } : {}),
      },
    ],
  })
}

/** Fills the sales fund, which pays for coin that members sell: all shards alike, so that most sales need one shard only. */
export async function fillSalesFund(db: Db | Tx, amount: Units): Promise<void> {
  const shards = shardsOf('SYS-SALES', 'USD')
  const share = amount / BigInt(shards.length)
  const shares = shards.map((shard, index) => ({ shard, part: index === 0 ? amount - share * BigInt(shards.length - 1) : share }))
  await postResolved(
    db,
    shares
      .filter(({ part }) => part > 0n)
      .map(({ shard, part }) => ({
        kind: 'testFunds',
        cause: { type: 'test', id: 'sales fund' },
        at: new Date('2026-01-05T09:00:00Z'),
        transfers: [{ debit: systemAccountId('SYS-OPERATOR', 'USD'), credit: shard, amount: part }],
      })),
  )
}

/** Leaves exactly this amount of USD in the sales fund, in units. */
export async function setSalesFund(db: Db, amount: Units): Promise<void> {
  const now = await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')
  if (now < amount) await fillSalesFund(db, amount - now)
  if (now > amount)
    await post(db, {
      kind: 'testFunds',
      cause: { type: 'test', id: 'sales fund' },
      at: new Date('2026-01-05T09:00:00Z'),
      transfers: [{ from: { system: 'SYS-SALES', asset: 'USD' }, to: { system: 'SYS-OPERATOR', asset: 'USD' }, amount: now - amount }],
    })
}

/** Settings without confirmed member transfers, for tests about other subjects. */
export const FREE_TRANSFERS = { unconfirmedTransferDayUsd: 10n ** 17n, payoutDayUsd: 10n ** 17n }

/** Payout address for tests. */
export const PAYOUT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Keys of test apps. */
const TEST_KEYS = readConfig({ NODE_ENV: 'test' })

/**
 * Adds an address to a member's address book, past its delay. Payouts to it need no confirmation.
 * @param options the network, and the keys of an app with another DATA_KEY
 */
export async function confirmPayoutAddress(
  db: Db | Tx,
  memberId: bigint,
  address = PAYOUT_ADDRESS,
  { network = 0, keys = TEST_KEYS }: { network?: Network; keys?: DataKeys } = {},
): Promise<void> {
  const at = new Date('2026-01-05T09:00:00Z')
  const id = randomIds.publicId()
  const entry = { public_id: id, member_id: memberId, network, address, address_key: addressKey(address, network) }
  const state = { id, confirmedAt: at.getTime(), usableFrom: at.getTime(), by: null, at: null }
  const entry_mac = entryMac(keys, { memberId, network, address }, state)
  await db
    .insertInto('payout_address')
    .values({ ...entry, label: 'test', created_at: at, confirmed_at: at, usable_from: at, entry_mac })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Changes the addresses of a member's book as the application would, with new MACs. */
export async function changeBook(
  db: Db | Tx,
  memberId: bigint,
  to: { usable_from?: Date; proven_by?: 'key'; proven_at?: Date },
): Promise<void> {
  const book = await db.selectFrom('payout_address').selectAll().where('member_id', '=', memberId).execute()
  for (const row of book) {
    const after = { ...row, ...to }
    const by = after.proven_by === 'key' ? ('key' as const) : null
    const [confirmedAt, usableFrom, at] = [after.confirmed_at, after.usable_from, after.proven_at].map((time) => time?.getTime() ?? null)
    const state = { id: row.public_id, confirmedAt: confirmedAt ?? null, usableFrom: usableFrom ?? null, by, at: at ?? null }
    const entry_mac = entryMac(TEST_KEYS, { memberId, network: row.network, address: row.address }, state)
    await db
      .updateTable('payout_address')
      .set({ ...to, entry_mac })
      .where('id', '=', row.id)
      .execute()
  }
}

/** Approval rules for tests about other subjects: one approver, or two. */
export const byOne = { needsTwo: () => Promise.resolve(false) }
export const byTwo = { needsTwo: () => Promise.resolve(true) }

/** Pays in USD through the provider flow, unlike {@link fund}, which bypasses the product. */
export function payIn(db: Db, deps: Deps, memberId: bigint, amount: Units): Promise<void> {
  return inTransaction(db, async (tx) => {
    const orderId = deps.ids.publicId()
    const order = { public_id: orderId, member_id: memberId, method: 'hosted', description: 'USDT', created_at: deps.clock.now() }
    const { id } = await tx
      .insertInto('deposit')
      .values({ ...order, amount, usd_amount: amount })
      .returning('id')
      .executeTakeFirstOrThrow()
    await applyPayment(tx, deps, id, {
      paymentId: orderId,
      orderId,
      status: 'settled',
      payCurrency: 'usdtbsc',
      actuallyPaid: amount,
      paidText: formatUnits(amount),
    })
  })
}

/**
 * Gives a member a confirmed authenticator app, also for the sessions that the member has now, as if each had shown a code. Takes a
 * fraction of the time of the call, which creates recovery codes: ten slow hashes.
 */
export async function addAuthenticator(db: Db, { config, clock }: Deps, memberId: bigint): Promise<TOTP> {
  const app = new TOTP()
  const at = clock.now()
  const encrypted = encrypt(config, encryptedFactors.purpose, app.secret.base32, String(memberId))
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('second_factor')
      .values({ member_id: memberId, encrypted_secret: encrypted, created_at: at, confirmed_at: at })
      .execute()
    await setSecondFactor(tx, [memberId], true, at)
    await tx.updateTable('session').set({ second_factor_at: at }).where('member_id', '=', memberId).execute()
  })
  return app
}

/** Gives a member an authenticator app without a usable secret. */
export async function addSecondFactor(db: Db, memberId: bigint): Promise<void> {
  await db.updateTable('member').set({ second_factor: true }).where('id', '=', memberId).execute()
  await db
    .insertInto('second_factor')
    .values({ member_id: memberId, encrypted_secret: Buffer.from('x'), created_at: new Date(0) })
    .execute()
}

/** Gives a member an authenticator app whose recovery is pending. */
export async function addPendingRecovery(db: Db, memberId: bigint, completesAt: Date): Promise<void> {
  await addSecondFactor(db, memberId)
  await db.insertInto('account_recovery').values({ member_id: memberId, second_factor: true, completes_at: completesAt }).execute()
}
