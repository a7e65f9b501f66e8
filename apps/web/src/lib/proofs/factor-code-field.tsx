import { t } from '@tizara/languages'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, type InputProps } from '../../ui/input.tsx'

export interface FactorCodeFieldProps extends InputProps {
  error: string | undefined
  hint?: string | undefined
}

/** Field for a code of the authenticator app, or for a recovery code after a press. */
export function FactorCodeField({ error, hint, ...input }: FactorCodeFieldProps) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <div className="space-y-1">
      {isRecovery ? (
        <Field label={t('Recovery code')} hint={t('One of the ten codes that you saved. Each works once.')} error={error}>
          <Input
            {...input}
            key="recovery"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={24}
            autoFocus
            mono
          />
        </Field>
      ) : (
        <Field label={t('Authenticator code')} hint={hint} error={error}>
          <Input {...input} inputMode="numeric" autoComplete="one-time-code" maxLength={7} mono />
        </Field>
      )}
      <Button variant="ghost" size="sm" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? t('Use the authenticator app') : t('Use a recovery code')}
      </Button>
    </div>
  )
}
