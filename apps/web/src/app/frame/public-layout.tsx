import { t } from '@tizara/languages'
import type { ReactNode } from 'react'
import { SignInArt } from '../../ui/art/sign-in-art.tsx'
import { Brand } from './brand.tsx'
import { LanguageSelect } from './language-select.tsx'
import { SandboxRibbon } from '../sandbox/sandbox-ribbon.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export interface PublicLayoutProps {
  /** `bare`: full width without image; `quiet`: no theme switch, for a page with exactly one action (UI-VERIFY-01). */
  frame?: 'bare' | 'quiet' | undefined
  children: ReactNode
}

/** Public pages' frame (RT-08). Sized by the window, not its content, so that loading shifts nothing. */
export default function PublicLayout({ frame, children }: PublicLayoutProps) {
  const bare = frame === 'bare'
  return (
    <div
      className={
        bare ? 'min-h-dvh' : 'grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]'
      }
    >
      <div data-frame={frame ?? 'form'} className={bare ? 'min-h-dvh' : 'min-w-0 bg-surface'}>
        <a href="#main" className="skip-link">
          {t('Skip to content')}
        </a>
        <header className="flex min-h-16 items-center gap-3 px-5 pt-2 sm:px-8">
          <Brand href="/" className="me-auto" />
          <SandboxRibbon />
          {frame !== 'quiet' && <LanguageSelect />}
          {frame !== 'quiet' && <ThemeSwitch />}
        </header>
        <main
          id="main"
          className={
            bare
              ? 'mx-auto w-full max-w-5xl px-5 pt-6 pb-16 sm:px-8'
              : 'mx-auto w-full max-w-[27rem] px-5 pt-6 pb-16 sm:pt-12 lg:pt-[max(3rem,calc(50dvh-21rem))]'
          }
        >
          {children}
        </main>
      </div>
      {!bare && (
        <aside className="hidden border-s bg-accent-soft lg:block">
          <div className="sticky top-0 flex h-dvh max-h-[60rem] flex-col justify-between p-12 xl:p-16">
            <SignInArt className="mx-auto my-auto w-full max-w-[34rem]" />
            <p className="max-w-[36ch] text-lg text-muted">
              {t('Every movement of your money has a receipt: from where, to where, by which rule.')}
            </p>
          </div>
        </aside>
      )}
    </div>
  )
}
