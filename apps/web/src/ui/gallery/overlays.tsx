import { useState } from 'react'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { AmountInput } from '../amount-input.tsx'
import { Button, buttonClass } from '../button.tsx'
import { DescriptionList } from '../description-list.tsx'
import { Dialog, DialogFooter } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { Input } from '../input.tsx'
import { confirmMessage, showMessage } from '../message-box.tsx'
import { PopoverMenu } from '../popover-menu.tsx'
import { Select } from '../select.tsx'
import { toast } from '../toast.tsx'

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** What lies over the page. */
export function Overlays() {
  const [open, setOpen] = useState(location.hash === '#dialog')
  return (
    <section className="flex flex-wrap gap-2">
      <Button id="open-dialog" onClick={() => setOpen(true)}>
        Dialog
      </Button>
      <Button
        id="open-message"
        onClick={() => {
          void showMessage({ icon: 'success', title: 'Transfer made', text: '12,000.00 TIZARA are in your wallet.' })
        }}
      >
        Message
      </Button>
      <Button
        id="open-confirm"
        onClick={() => {
          void confirmMessage({ title: 'Stake 100,000 TIZARA?', text: 'It returns on 20 Nov 2027.' })
        }}
      >
        Confirm
      </Button>
      <Button
        onClick={() => {
          toast('Copied to clipboard')
        }}
      >
        Toast
      </Button>
      <Button onClick={() => wait(1500)}>Waits</Button>
      <PopoverMenu
        label="Account"
        trigger="Account"
        triggerClass={buttonClass('secondary')}
        header={
          <>
            <p className="font-semi">Amara Obi</p>
            <p className="text-xs text-faint">amara@example.com</p>
          </>
        }
        items={[
          { key: 'a', label: 'Profile', icon: <User aria-hidden="true" />, href: '#main' },
          { key: 'b', label: 'Support', icon: <User aria-hidden="true" /> },
          { key: 'c', label: 'Sign out', icon: <LogOut aria-hidden="true" />, danger: true, divider: true },
        ]}
      />
      <Dialog open={open} onClose={() => setOpen(false)} title="Bridge" description="Move coins between your wallets and a network.">
        <form className="space-y-4" onSubmit={(event) => event.preventDefault()}>
          <Field label="Network">
            <Select options={[{ value: '1', label: 'BEP(20)' }]} />
          </Field>
          <Field label="Address">
            <Input mono defaultValue="0x71C7656EC7ab88b098defB751B7401B5f6d8976F" />
          </Field>
          <Field label="Amount" aside="96,500.00 TIZARA">
            <AmountInput unit="TIZARA" onMax={() => undefined} defaultValue="12000" />
          </Field>
          <DescriptionList
            boxed
            rows={[
              { label: 'Leaves My Wallet', value: '12,000.00 TIZARA' },
              { label: 'Fee', value: '0.00' },
              { label: 'Arrives', value: '12,000.00 TIZARA', strong: true },
            ]}
          />
          <DialogFooter>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" type="submit">
              Bridge
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
    </section>
  )
}
