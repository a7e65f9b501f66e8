import { type AuditCheck, type AuditWindow, atSql, differencesSql, factCheck, inSql, overRows } from '../../ledger/index.ts'

type IdQuery = (text: string) => Promise<bigint>

/** Returns the id range for runs active in a window, with all other runs on their days. Run ids are consecutive. */
async function runsOf(window: AuditWindow, ask: IdQuery): Promise<{ first: bigint; last: bigint }> {
  const { until } = window
  const days = `select day from reward_run where ${atSql("coalesce(finished_at, 'infinity')", { ...window, until: undefined })}
    ${until === undefined ? '' : `and started_at < '${until.toISOString()}'`}`
  return {
    first: await ask(`select min(id) from reward_run where day in (${days})`),
    last: await ask(`select max(id) from reward_run where day in (${days})`),
  }
}

/** Returns an SQL condition: the column refers to a run in the window. */
export async function inRuns(column: string, window: AuditWindow, ask: IdQuery): Promise<string> {
  const { first, last } = await runsOf(window, ask)
  return `${column} between ${first} and ${last}`
}

/** Returns a check of single runs. In a window the check applies only to the runs of the window. */
export const runRule = (text: string): Pick<AuditCheck, 'afterClose' | 'sql'> => ({
  sql: text,
  afterClose: {
    within: async (window, ask) => {
      const [of, own] = [await inRuns('run_id', window, ask), await inRuns('id', window, ask)]
      return overRows(text, {
        reward_run: [own],
        // Includes days without a run.
        reward_day: [`day in (select day from public.reward_run where ${own})`, atSql('day', window)],
        reward_payment: [of],
        reward_payment_claim: [of],
        reward_credit: [of],
        reward_accrual: [of],
      })
    },
  },
})

/** Returns a check of the money that runs moved. Such transfers have the run's id as cause, and not the time of an accrual. */
export function runCheck(check: Parameters<typeof factCheck>[0] & { facts: string }): AuditCheck {
  return {
    ...factCheck(check),
    afterClose: {
      within: async (window, ask) => {
        const { first, last } = await runsOf(window, ask)
        if (last === 0n) return differencesSql(check, { facts: 'false', transfers: inSql('id', window.own) })
        const begun = await ask(`select ledger_last_before(0, started_at - interval '1 day') from reward_run where id = ${first}`)
        const ended = await ask(`select ledger_last_before(0, max(finished_at) + interval '1 day') from reward_run
          where id between ${first} and ${last} having bool_and(finished_at is not null)`)
        const theirs = `case when cause_id ~ '^[0-9]{1,18}$' then cause_id::bigint between ${first} and ${last} end`
        const wide = inSql('id', { after: begun, last: ended === 0n ? undefined : ended })
        const credits = `run_id between ${first} and ${last}`
        const facts = overRows(check.facts, { reward_credit: [credits], reward_payment: [credits], reward_payment_claim: [credits] })
        return differencesSql({ ...check, facts }, { facts: 'true', transfers: `(${inSql('id', window.own)} or ${wide} and ${theirs})` })
      },
    },
  }
}
