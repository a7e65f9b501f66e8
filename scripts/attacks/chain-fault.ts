import { type Attack, NO_ENTRY, SRC, testsIn } from './attack.ts'

export const CHAIN = `${SRC}/gateways/chain`
export const SENDING = `${SRC}/modules/withdrawals/sending`
export const INVOICES = `${SRC}/modules/deposits/invoices`
export const RECONCILIATION = `${SRC}/modules/reconciliation`
export const SIMULATOR = 'apps/server/test/chain-simulator'
export const DAY_OLD_BACKUP = testsIn(
  `${SIMULATOR}/day-old-backup.postgres.test.ts`,
  'loses, doubles and misplaces nothing when a backup of the day before is restored, made %s',
)
export const INCIDENT = testsIn(
  'apps/server/test/properties/operations/chain-incidents.test.ts',
  'of kind %s has an alert, a meaning, a doctor line and a runbook entry',
)

/** Creates a row of the attack table for a fault of the chain. The worker finds these faults, so no call writes an audit entry. */
export const fault = (attack: string, message: string, ...tests: Attack['tests'][]): Attack => ({
  point: 'Chain and nodes',
  attack,
  message,
  audit: NO_ENTRY.noCall,
  tests: tests.flat(),
})
