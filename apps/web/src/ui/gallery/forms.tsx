import { useState } from 'react'
import Mail from 'lucide-react/icons/mail'
import Trash from 'lucide-react/icons/trash-2'
import { AmountInput } from '../amount-input.tsx'
import { Button } from '../button.tsx'
import { Card, CardHeader } from '../card.tsx'
import { Checkbox } from '../checkbox.tsx'
import { Field } from '../field.tsx'
import { FileInput } from '../file-input.tsx'
import { IconButton } from '../icon-button.tsx'
import { Input } from '../input.tsx'
import { OtpInput } from '../otp-input.tsx'
import { PasswordInput } from '../password-input.tsx'
import { Segmented } from '../segmented.tsx'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { Textarea } from '../textarea.tsx'
import { useForm } from '../use-form.ts'

/** Controls and buttons. */
export function Forms() {
  const [mails, setMails] = useState(true)
  const [plan, setPlan] = useState('180')
  const form = useForm({
    initial: { email: '', password: '', amount: '12,000', terms: false, file: null as File | null },
    validate: (values) => ({
      ...(!values.email && { email: 'Type your email address.' }),
      ...(!values.terms && { terms: 'Accept the terms to go on.' }),
    }),
    onSubmit: () => ({ form: 'The server did not answer. Try again.' }),
  })
  return (
    <section className="grid gap-3.5 lg:grid-cols-2">
      <Card>
        <CardHeader title="A form" />
        <form {...form.props} className="space-y-4">
          <Field label="Email" error={form.errors.email} required>
            <Input
              type="email"
              autoComplete="email"
              start={<Mail size={16} aria-hidden="true" className="text-faint" />}
              {...form.field('email')}
            />
          </Field>
          <Field
            label="Password"
            aside={
              <a className="link" href="#main">
                Forget password
              </a>
            }
            error="This field is required"
          >
            <PasswordInput {...form.field('password')} />
          </Field>
          <Field label="Amount" aside="My Wallet 96,500.00" hint="≈ 96.00 USD">
            <AmountInput unit="TIZARA" onMax={() => form.set('amount', '96500')} blockedKeys={['-', 'e']} {...form.field('amount')} />
          </Field>
          <Field label="Receipt">
            <FileInput accept="image/*" value={form.values.file} onChange={(file) => form.set('file', file)} />
          </Field>
          <Checkbox label="I have read the terms." error={form.errors.terms} {...form.check('terms')} />
          <Button type="submit" variant="primary" size="lg" block pending={form.pending}>
            Sign In
          </Button>
        </form>
      </Card>
      <Card className="space-y-4">
        <CardHeader title="Controls" />
        <Field label="Network">
          <Select
            options={[
              { value: '1', label: 'BEP(20)' },
              { value: '2', label: 'TRC(20)' },
            ]}
          />
        </Field>
        <Field label="Message" hint="Plain text">
          <Textarea placeholder="What happened" />
        </Field>
        <Field label="Address">
          <Input mono placeholder="0x…" />
        </Field>
        <Field label="Locked">
          <Input defaultValue="amara@example.com" disabled />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Code">
            <OtpInput defaultValue="184220" />
          </Field>
          <div>
            <Switch label="Mails about rewards" hint="Once a day" checked={mails} onChange={setMails} />
            <Switch label="Sounds" checked={!mails} onChange={() => setMails(!mails)} />
          </div>
        </div>
        <Segmented
          label="Days"
          value={plan}
          onChange={setPlan}
          options={[
            { value: '90', label: '90D' },
            { value: '180', label: '180D' },
            { value: '365', label: '365D' },
          ]}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary">Primary</Button>
          <Button>Secondary</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger">Danger</Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" pending>
            Working
          </Button>
          <Button pending>Working</Button>
          <Button disabled>Disabled</Button>
          <Button size="sm">Small</Button>
          <IconButton label="Delete" variant="outline">
            <Trash aria-hidden="true" />
          </IconButton>
        </div>
      </Card>
    </section>
  )
}
