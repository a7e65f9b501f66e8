import { PROFILE_IMAGE_MAX_BYTES } from '@tizara/contract'
import { removeProfileImage, setProfileImage } from '@tizara/contract/contact-details'
import { profile, type MemberProfile } from '@tizara/contract/members'
import { t } from '@tizara/languages'
import { useRef, useState } from 'react'
import { call } from '../lib/http/api.ts'
import { refetch } from '../lib/http/query.ts'
import { Avatar } from '../ui/art/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast-store.ts'
import { rejectionText } from './addresses/rejection-text.ts'

/** Profile image with its change and removal (EN-09, EN-11). */
export function ImageRow({ member: { name, profileImage } }: { member: MemberProfile }) {
  const input = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)

  async function change(send: () => Promise<unknown>, done: string): Promise<void> {
    setPending(true)
    try {
      await send()
      toast(done)
      await refetch(profile)
    } catch (error) {
      toast(rejectionText(error), { tone: 'danger' })
    } finally {
      setPending(false)
    }
  }

  function choose(file: File | undefined): void {
    if (file === undefined) return
    if (file.size > PROFILE_IMAGE_MAX_BYTES) toast(t('File size should be less than 5 MB'), { tone: 'danger' })
    else void change(() => call(setProfileImage, { body: {}, file }), t('Your image is changed.'))
  }

  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <Avatar name={name} src={profileImage} size={48} />
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('Profile image')}
        className="hidden"
        onChange={({ target }) => {
          choose(target.files?.[0])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <Button size="sm" pending={pending} onClick={() => input.current?.click()}>
        {profileImage ? t('Change image') : t('Add image')}
      </Button>
      {profileImage && (
        <Button size="sm" disabled={pending} onClick={() => void change(() => call(removeProfileImage), t('Your image is removed.'))}>
          {t('Remove image')}
        </Button>
      )}
    </div>
  )
}
