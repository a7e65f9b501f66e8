import { RECOVERY_DAYS } from '@tizara/contract/limits'
import { t } from '@tizara/languages'
import KeyRound from 'lucide-react/icons/key-round'
import { FactorCodeField } from '../lib/proofs/factor-code-field.tsx'
import { passkeysWork } from '../lib/proofs/passkeys-work.ts'
import { Button } from '../ui/button.tsx'
import type { InputProps } from '../ui/input.tsx'
import { T } from '../ui/t.tsx'

/** Step after the password for accounts with an authenticator app: its code, a recovery code or a passkey. */
export function SecondStep({ onPasskey, ...code }: InputProps & { error: string | undefined; onPasskey: () => Promise<unknown> }) {
  return (
    <>
      <FactorCodeField {...code} hint={t('The six digits that your authenticator app shows now.')} autoFocus />
      {passkeysWork && (
        <Button block icon={<KeyRound size={16} aria-hidden="true" />} onClick={onPasskey}>
          {t('Use a passkey instead')}
        </Button>
      )}
      <details className="mt-4 text-sm text-muted">
        <summary className="cursor-pointer">{t('I lost my phone')}</summary>
        <p className="mt-2">
          <T
            text="Enter one of your recovery codes, or use a passkey. If you have neither, contact support. After two staff members have verified your identity, your second factor is removed after {recoveryDays} days, and payouts are frozen for as long again."
            recoveryDays={RECOVERY_DAYS}
          />
        </p>
      </details>
    </>
  )
}
