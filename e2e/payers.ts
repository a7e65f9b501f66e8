import { ONE } from '@tizara/money'
import { createTestMember, payIn, confirmPayoutAddress } from '../apps/server/test/members.ts'
import { createDeps } from '../apps/server/src/main/deps.ts'
import { requestWithdrawal } from '../apps/server/src/modules/withdrawals/index.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { type Database, inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import type { Deps } from '../apps/server/src/platform/runtime/deps.ts'
import { systemClock } from '../apps/server/src/platform/runtime/clock.ts'
import type { Stack } from './stack.ts'

interface Payer {
  memberId: bigint
  address: string
}

/** Members who ask for payouts in the processes of the test, because the forms of the member app take seconds each. */
export class Payers {
  readonly #database: Database
  readonly #members = new Map<bigint, Payer>()
  readonly #deps: Deps
  /** Seconds that the clocks of the product are ahead. */
  ahead: number

  constructor(stack: Stack, ahead: number) {
    this.#database = openDatabase({ url: stack.databaseUrl ?? '' }, { max: 4 })
    this.ahead = ahead
    const clock = { ...systemClock, now: () => new Date(Date.now() + this.ahead * 1_000) }
    this.#deps = { ...createDeps(readConfig({ NODE_ENV: 'development', LOG_LEVEL: 'silent' })), clock }
  }

  /**
   * Adds members with a device, a deposit and a confirmed address of their own.
   * @param usd deposit of each in whole USD
   * @param at time of the registration; now if omitted
   */
  add(count: number, usd: bigint, at = this.#deps.clock.now()): Promise<bigint[]> {
    const { db } = this.#database
    return Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await createTestMember(db, { at })
        const address = `0x${String(id).padStart(40, '7')}`
        const device = { token_digest: String(id), created_at: at, last_seen_at: at, trusted_from: at }
        await db
          .insertInto('known_device')
          .values({ member_id: id, ...device })
          .execute()
        await payIn(db, this.#deps, id, usd * ONE)
        await confirmPayoutAddress(db, id, address, { keys: this.#deps.config })
        this.#members.set(id, { memberId: id, address })
        return id
      }),
    )
  }

  /** Requests one withdrawal of each member, in whole USD. Returns the public ids. */
  request(members: readonly bigint[], usd: bigint): Promise<string[]> {
    return Promise.all(
      members.map(async (id) => {
        const payer = this.#members.get(id)
        if (payer === undefined) throw new Error('no such member was added')
        return inTransaction(this.#database.db, async (tx) => (await requestWithdrawal(tx, this.#deps, { ...payer, amount: usd * ONE })).id)
      }),
    )
  }

  close(): Promise<void> {
    return this.#database.close()
  }
}
