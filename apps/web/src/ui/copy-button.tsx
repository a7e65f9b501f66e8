import { t } from '@tizara/languages'
import { useEffect, useState } from 'react'
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { Button } from './button.tsx'
import type { ButtonSize, ButtonVariant } from './button.tsx'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { T } from './t.tsx'

export interface CopyButtonProps {
  text: string | (() => string | Promise<string>)
  /** Button name, for example "Copy address". */
  label?: string | undefined
  /** Shows the icon without text. */
  iconOnly?: boolean | undefined
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  onCopied?: ((text: string) => void) | undefined
  onFailed?: ((error: unknown) => void) | undefined
  className?: string | undefined
}

/** Copies text and confirms it; calls `onFailed` on failure. */
export function CopyButton(props: CopyButtonProps) {
  const { text, label = t('Copy'), iconOnly, variant, size = 'sm', onCopied, onFailed, className } = props
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(): Promise<void> {
    try {
      const value = typeof text === 'function' ? await text() : text
      await navigator.clipboard.writeText(value)
      setCopied(true)
      onCopied?.(value)
    } catch (error) {
      onFailed?.(error)
    }
  }

  const copyIcon = <Copy size={14} aria-hidden="true" />
  const checkIcon = <Check size={14} aria-hidden="true" className="text-success" />
  // Both states share one grid cell, so the layout does not shift.
  const layer = (shown: boolean): string => cx('col-start-1 row-start-1 flex items-center justify-center gap-1.5', !shown && 'invisible')
  return (
    <>
      {iconOnly ? (
        <IconButton
          label={copied ? t('Copied') : label}
          size={size === 'sm' ? 'sm' : 'md'}
          onClick={() => void copy()}
          className={className}
        >
          {copied ? checkIcon : copyIcon}
        </IconButton>
      ) : (
        <Button variant={variant} size={size} onClick={() => void copy()} className={className}>
          <span className="grid">
            <span className={layer(!copied)}>
              {copyIcon}
              {label}
            </span>
            <span className={layer(copied)}>
              <T text="{checkIcon}Copied" checkIcon={checkIcon} />
            </span>
          </span>
        </Button>
      )}
      <output className="sr-only">{copied ? t('Copied') : ''}</output>
    </>
  )
}
