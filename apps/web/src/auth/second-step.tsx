import KeyRound from 'lucide-react/icons/key-round'
import { FactorCodeField } from '../lib/factor-code-field.tsx'
import { passkeysWork } from '../lib/passkeys-work.ts'
import { Button } from '../ui/button.tsx'
import type { InputProps } from '../ui/input.tsx'

/** Step after the password for accounts with an authenticator app: its code, a recovery code or a passkey. */
export function SecondStep({ onPasskey, ...code }: InputProps & { error: string | undefined; onPasskey: () => Promise<unknown> }) {
  return (
    <>
      <FactorCodeField {...code} hint="The six digits that your authenticator app shows now." autoFocus />
      {passkeysWork && (
        <Button block icon={<KeyRound size={16} aria-hidden="true" />} onClick={onPasskey}>
          Use a passkey instead
        </Button>
      )}
    </>
  )
}
