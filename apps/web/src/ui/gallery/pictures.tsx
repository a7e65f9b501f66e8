import { Avatar } from '../art/avatar.tsx'
import { DomeArt } from '../art/dome.tsx'
import { NotFoundArt } from '../art/not-found-art.tsx'
import { HotelAndResortArt } from '../art/hotel-and-resort.tsx'
import { LandArt } from '../art/land.tsx'
import { SignInArt } from '../art/sign-in-art.tsx'
import { WagonArt } from '../art/wagon.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Money } from '../money.tsx'
import { ProgressBar } from '../progress.tsx'
import { Address } from '../address.tsx'
import { CopyButton } from '../copy-button.tsx'
import { CopyField } from '../copy-field.tsx'
import { QrCode } from '../qr-code.tsx'
import { Stepper } from '../stepper.tsx'

const KINDS = [
  ['DOME', DomeArt],
  ['WAGON', WagonArt],
  ['Hotel And Resort', HotelAndResortArt],
  ['Land', LandArt],
] as const
const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'

/** Drawn art, codes and addresses. */
export function Pictures() {
  return (
    <section className="grid gap-3.5 sm:grid-cols-2 lg:grid-cols-4">
      {KINDS.map(([name, Art], i) => (
        <Card key={name} padding="none" className="overflow-hidden">
          <Art />
          <div className="p-4">
            <div className="flex justify-between">
              <h3 className="font-strong">{name}</h3>
              <span className="text-sm text-muted">{i} held</span>
            </div>
            <Money value="1100" unit="USD" className="mt-1 block text-lg font-strong" />
            <ProgressBar label="Sold" value={i * 22} className="mt-3 mb-2" />
            <div className="flex items-center justify-between">
              <span className="text-xs text-faint">9,998 left of 10,000</span>
              <Button size="sm">Buy Now</Button>
            </div>
          </div>
        </Card>
      ))}
      <Card className="sm:col-span-2">
        <p className="text-sm text-muted">Invoice</p>
        <Money value="250" unit="USDT" className="text-4xl font-strong tracking-num" />
        <Stepper
          className="my-5"
          label="Invoice"
          steps={[
            { key: 'a', label: 'Waiting for payment', state: 'done' },
            { key: 'b', label: 'Processing', hint: '4 of 12', state: 'current' },
            { key: 'c', label: 'Success', state: 'todo' },
          ]}
        />
        <div className="flex flex-col items-start gap-5 sm:flex-row">
          <QrCode text={`ethereum:${ADDRESS}`} label="QR code of the payment address" size={150} />
          <div>
            <p className="mb-1 text-sm text-faint">Address</p>
            <Address value={ADDRESS} className="block max-w-[22ch]" />
            <CopyButton text={ADDRESS} label="Copy address" className="mt-3" /> <Address short value={ADDRESS} />
          </div>
        </div>
        <CopyField className="mt-5" label="Referral link" value="https://tizara.example/auth/signup?referralCode=AMARA7" />
        <div className="mt-4 flex gap-2">
          <Avatar name="Amara Obi" size={40} />
          <Avatar name="Li" size={40} />
          <Avatar name="" size={40} />
          <Avatar name="Jonas Weber" />
        </div>
      </Card>
      <Card className="bg-accent-soft">
        <SignInArt />
      </Card>
      <Card className="grid place-items-center">
        <NotFoundArt className="h-auto w-full" />
      </Card>
    </section>
  )
}
