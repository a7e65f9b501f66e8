import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { currentSettings } from '../../settings/index.ts'

/** Requires an address of an allowed mail provider. @throws AppError EMAIL_DOMAIN_REFUSED */
export async function assertEmailDomain(db: Db, deps: Deps, email: string): Promise<void> {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const { allowedEmailDomains } = await currentSettings(db, deps.clock.now())
  if (!(allowedEmailDomains ?? deps.config.allowedEmailDomains).includes(domain)) throw new AppError('EMAIL_DOMAIN_REFUSED')
}
