import { accentTokens } from '@tizara/contract/brand-tokens'
import { brandLinks, staffLogo } from '@tizara/contract/staff-brand'
import { type BrandValue, brandValue } from '@tizara/contract/staff-values'
import { t } from '@tizara/languages'
import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { BrandMark } from '../../../ui/art/brand-mark.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'

/** Accents of the product (theme.css), for the preview of a brand without one. */
const DEFAULT_ACCENTS = { light: '#007774', dark: '#43c5bb' } as const
/** Surfaces and texts of both themes (theme.css). The preview shows both, whatever the reader's theme. */
const THEMES = {
  light: { bg: '#f9fbfc', surface: '#ffffff', line: '#dfe5e7', ink: '#0e1b22', 'ink-2': '#47565f' },
  dark: { bg: '#0a1013', surface: '#11181c', line: '#222b30', ink: '#edf1f2', 'ink-2': '#adb8bd' },
} as const

/** Shows a brand as members see it, in both themes: head of a page, button, link, head of a mail, and foot. */
export function BrandPreview({ brand }: { brand: BrandValue }) {
  return (
    <section aria-label="As members see it" className="mt-4 grid gap-3 sm:grid-cols-2">
      {(['light', 'dark'] as const).map((theme) => (
        <Theme key={theme} brand={brand} theme={theme} />
      ))}
    </section>
  )
}

/** Shows a brand of a stored proposal. */
export default function ProposedBrand({ value }: { value: unknown }) {
  const read = v.safeParse(brandValue, value)
  return read.success && <BrandPreview brand={read.output} />
}

function Theme({ brand, theme }: { brand: BrandValue; theme: 'light' | 'dark' }) {
  const colours = { ...THEMES[theme], ...accentTokens(brand.accent ?? DEFAULT_ACCENTS[theme])[theme] }
  const style = Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value]))
  const logo = theme === 'dark' ? (brand.logoDark ?? brand.logo) : brand.logo
  const links = brandLinks.filter(([key]) => brand[key] !== null)
  const name = plain(brand.name)
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border bg-bg text-ink" style={{ ...style, borderColor: 'var(--line)' }}>
      <figcaption className="px-3.5 pt-2.5 text-xs text-muted">{theme === 'light' ? 'Light theme' : 'Dark theme'}</figcaption>
      <div className="grid gap-3 p-3.5">
        <p className="flex min-w-0 items-center gap-2.5 text-md font-strong tracking-head">
          {logo === null ? <BrandMark size={28} /> : <Logo hash={logo} />}
          <span className="min-w-0 wrap-anywhere">{name}</span>
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          <span className="rounded-md bg-accent px-3.5 py-1.5 font-semi text-on-accent">Sign in</span>
          <span className="font-medium text-accent">Forgot password?</span>
          <span className="rounded-md bg-accent-soft px-2 py-0.5 text-accent">Selected</span>
        </p>
        <p className="rounded-md bg-surface p-2.5 text-sm wrap-anywhere">
          <span className="block text-xs text-muted">Mail from {plain(brand.senderName ?? brand.name)}</span>
          <span className="font-semi text-accent">{name}</span>
        </p>
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-4 text-xs text-muted">
            {links.map(([key, text]) => (
              <span key={key}>{text(t)}</span>
            ))}
          </p>
        )}
      </div>
    </figure>
  )
}

/** Shows an uploaded logo, which is not public before its brand is in force. */
function Logo({ hash }: { hash: string }) {
  const { data, isError } = useQuery({ ...watch(staffLogo, { params: { id: hash } }), refetchInterval: false, staleTime: Infinity })
  if (isError) return <span className="text-xs text-muted">The logo cannot be shown</span>
  return <img src={data?.image} alt="" width={28} height={28} className="size-7 shrink-0" />
}
