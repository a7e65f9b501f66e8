import { useEffect, useRef, useState } from 'react'
import { isCode, newCode } from './captcha-code.ts'

/** One form's captcha: image, input and last result (UI-CAPTCHA rows). */
export interface Captcha {
  code: string
  text: string
  state: 'unverified' | 'verified' | 'failed'
  type: (text: string) => void
  refresh: () => void
  /** Returns true if the entered text is right; neither clears it nor changes the state. */
  isRight: () => boolean
  /** Checks and clears the input; the code stays (UI-CAPTCHA-04, UI-CAPTCHA-09). */
  attempt: () => boolean
}

/** Creates a captcha. Generates the code only in the browser, so the prerendered page has none. */
export function useCaptcha(): Captcha {
  const [code, setCode] = useState('')
  const [text, setText] = useState('')
  const [state, setState] = useState<Captcha['state']>('unverified')
  // Forms read current values, not their last render's.
  const latest = useRef({ code, text })
  latest.current = { code, text }
  useEffect(() => setCode(newCode()), [])
  const isRight = (): boolean => isCode(latest.current.text, latest.current.code)
  return {
    code,
    text,
    state,
    type: (next) => {
      setText(next)
      setState('unverified')
    },
    refresh: () => {
      setCode(newCode())
      setText('')
      setState('unverified')
    },
    isRight,
    attempt: () => {
      const right = isRight()
      setText('')
      setState(right ? 'verified' : 'failed')
      return right
    },
  }
}
