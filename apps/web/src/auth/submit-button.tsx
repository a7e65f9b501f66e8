import { t } from '@tizara/languages'
import { useEffect, useRef } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** Submit button; a spinner replaces it while the request runs (UI-SIGNIN-07, UI-SIGNUP-10). */
export function SubmitButton({ label, pending }: { label: string; pending: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  const ran = useRef(false)
  useEffect(() => {
    if (pending) ran.current = true
    if (pending || !ran.current) return
    // Returns the focus to the reappeared button, unless a field or open dialog has it.
    const giveBack = (): void => {
      if (document.activeElement === document.body) button.current?.focus()
    }
    giveBack()
    const dialog = document.querySelector('dialog:modal')
    dialog?.addEventListener('close', giveBack)
    return () => dialog?.removeEventListener('close', giveBack)
  }, [pending])
  if (pending) {
    return (
      <div className={buttonClass('primary', 'lg', 'mt-1 w-full opacity-80')}>
        <Spinner label={t('Sending')} size={18} />
      </div>
    )
  }
  return (
    <Button ref={button} type="submit" variant="primary" size="lg" block className="mt-1">
      {label}
    </Button>
  )
}
