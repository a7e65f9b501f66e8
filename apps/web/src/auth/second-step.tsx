import KeyRound from 'lucide-react/icons/key-round'
import { passkeysWork } from '../lib/passkeys-work.ts'
import { Button } from '../ui/button.tsx'
import type { InputProps } from '../ui/input.tsx'
import { AppCodeField } from './app-code-field.tsx'

/** Step after the password for accounts with an authenticator app: its code or a passkey. */
export function SecondStep({ onPasskey, ...code }: InputProps & { error: string | undefined; onPasskey: () => Promise<unknown> }) {
  return (
    <>
      <AppCodeField {...code} />
      {passkeysWork && (
        <Button block icon={<KeyRound size={16} aria-hidden="true" />} onClick={onPasskey}>
          Use a passkey instead
        </Button>
      )}
    </>
  )
}
