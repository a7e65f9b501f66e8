import { useEffect, useRef, useState } from 'react'
import { isCode, newCode } from './captcha-code.ts'

/** The captcha of one form: what shows, what was typed, and what became of the last attempt (UI-CAPTCHA rows). */
export interface Captcha {
  code: string
  text: string
  state: 'unverified' | 'verified' | 'failed'
  type: (text: string) => void
  refresh: () => void
  /** Compares and clears the entry; the code stays (UI-CAPTCHA-04, UI-CAPTCHA-09). */
  attempt: () => boolean
}

/** Makes a captcha. The code is made in the browser only: the prerendered page holds none. */
export function useCaptcha(): Captcha {
  const [code, setCode] = useState('')
  const [text, setText] = useState('')
  const [state, setState] = useState<Captcha['state']>('unverified')
  // A form asks with the values of the moment, not of its last render.
  const latest = useRef({ code, text })
  latest.current = { code, text }
  useEffect(() => setCode(newCode()), [])
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
    attempt: () => {
      const right = isCode(latest.current.text, latest.current.code)
      setText('')
      setState(right ? 'verified' : 'failed')
      return right
    },
  }
}
