import { t } from '@tizara/languages'
import CircleCheck from 'lucide-react/icons/circle-check'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Volume2 from 'lucide-react/icons/volume-2'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { onStored, readStored, storageKeys } from '../lib/http/storage.ts'
import { cx } from '../ui/cx.ts'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { messages } from './auth.messages.ts'
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, drawCode } from './captcha-code.ts'
import type { Captcha } from './use-captcha.ts'

/** Reads the code aloud letter by letter, without case, which is ignored. */
function speak(code: string): void {
  speechSynthesis.cancel()
  const utterance = new SpeechSynthesisUtterance([...code.toUpperCase()].join('. '))
  utterance.lang = 'en'
  utterance.rate = 0.7
  speechSynthesis.speak(utterance)
}

/** Captcha box: image, input, new code and audio (UI-CAPTCHA-01 to UI-CAPTCHA-07). */
export function CaptchaBox({ captcha }: { captcha: Captcha }) {
  const { code, text, state } = captcha
  const canvas = useRef<HTMLCanvasElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [canSpeak, setCanSpeak] = useState(false)
  const theme = useSyncExternalStore(
    onStored,
    () => readStored(storageKeys.theme),
    () => null,
  )

  useEffect(() => setCanSpeak('speechSynthesis' in window), [])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const style = getComputedStyle(document.body)
    drawCode(context, code, { ink: style.getPropertyValue('--ink'), noise: style.getPropertyValue('--ink-3') })
  }, [code, theme])
  useEffect(() => {
    if (state === 'failed') input.current?.focus()
  }, [state])

  return (
    <Field label={t('Captcha')} error={state === 'failed' ? messages.captchaFailed : undefined}>
      <div className="flex flex-wrap items-center gap-2">
        <canvas
          ref={canvas}
          width={CAPTCHA_WIDTH}
          height={CAPTCHA_HEIGHT}
          role="img"
          aria-label={t('Image with five letters and digits')}
          className="h-[40px] w-[125px] shrink-0 rounded-lg bg-raised"
        />
        <IconButton label={t('New code')} onClick={captcha.refresh}>
          <RefreshCw aria-hidden="true" />
        </IconButton>
        <IconButton label={t('Listen to the code')} onClick={() => speak(code)} className={cx('-ms-2', !canSpeak && 'invisible')}>
          <Volume2 aria-hidden="true" />
        </IconButton>
        <Input
          ref={input}
          name="captcha"
          value={text}
          onChange={(event) => captcha.type(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={12}
          placeholder={t('Type the code')}
          className="min-w-36 flex-1"
        />
      </div>
      <p role="status" className="flex items-center gap-1.5 text-sm text-success not-empty:mt-1.5">
        {state === 'verified' && (
          <>
            <CircleCheck size={14} aria-hidden="true" />
            {messages.captchaVerified}
          </>
        )}
      </p>
    </Field>
  )
}
