import type { PlantedFault } from './planted-fault.ts'

const GUARD = 'apps/server/src/modules/withdrawals/guard/authorize-outflow.ts'

/** Faults of the outflow guard that the search over random behaviour of thieves (outflow-search.test.ts) must find. */
export const outflowFaults: readonly PlantedFault[] = [
  {
    name: 'each small transfer is compared alone with the sum of 24 hours',
    file: GUARD,
    before: 'use.unconfirmed + input.amount <= settings.unconfirmedTransferDayUsd',
    after: 'input.amount <= settings.unconfirmedTransferDayUsd',
  },
  {
    name: 'small transfers are forgotten an hour early',
    file: 'apps/server/src/modules/withdrawals/functions.sql',
    before: 't where t.at > since)',
    after: "t where t.at > since + interval '1 hour')",
  },
  {
    name: 'a stop does not refuse small transfers',
    file: GUARD,
    before: "if (stopped) return new AppError('PAYOUTS_STOPPED')",
    after: "if (stopped && kind !== 'transfer') return new AppError('PAYOUTS_STOPPED')",
  },
  {
    name: 'a proof authorizes two outflows',
    file: GUARD,
    before: "if (used.has(digest(stepUp.token))) return new AppError('STEP_UP_REFUSED')",
    after: '',
  },
  {
    name: 'a proof that authorized an outflow is not stored',
    file: 'apps/server/src/modules/withdrawals/hold-requests.ts',
    before: 'step_up_digest: input.stepUp === undefined ? null : digest(input.stepUp.token),',
    after: 'step_up_digest: null,',
  },
  {
    name: 'the password counts on every device',
    file: 'apps/server/src/modules/auth/sessions/known-devices.ts',
    before: "if (device === undefined || device.trusted_from > clock.now()) throw new AppError('DEVICE_NOT_TRUSTED')",
    after: "if (device === undefined) throw new AppError('DEVICE_NOT_TRUSTED')",
  },
  {
    name: 'the freeze for a new device, which allows small transfers, stays in place of a stricter freeze that ends earlier',
    file: 'apps/server/src/modules/members/change-member.ts',
    before: "or payouts_frozen_for <> 'device' and payouts_frozen_until > ${until})",
    after: 'or payouts_frozen_until >= ${until})',
  },
]
