import { t } from '@tizara/languages'
import { useState } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

export type PasswordInputProps = Omit<InputProps, 'type' | 'end'>

/** Password field with a show button. `autoComplete` defaults to "current-password". */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const label = shown ? t('Hide password') : t('Show password')
  return (
    <Input
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          aria-label={label}
          title={label}
          className="-me-2 grid size-9 place-items-center rounded-md text-faint hover:text-ink"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff size={17} aria-hidden="true" /> : <Eye size={17} aria-hidden="true" />}
        </button>
      }
    />
  )
}
