import { staffCatalogue } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { exactAmount } from '../../../ui/money-format.ts'
import { MessageBox } from '../../../ui/message-box.tsx'
import { Lines } from '../../kit/lines.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMe, whoCan } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { Mails } from './mails.tsx'
import { NftPanel, PlanPanel } from './offer-panels.tsx'
import {
  asText,
  type Catalogue,
  GROUPS,
  type FormField,
  type Offer,
  offerOfGroup,
  offerOfPrice,
  offersToAdd,
  POPUP_FIELDS,
} from './offers.ts'
import { Pending, Since } from './pending.tsx'
import { PricePanel } from './price-panel.tsx'
import { ProposeDialog } from './propose-dialog.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Page } from '../../kit/page.tsx'
import { Table } from '../../../ui/table.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/badge.tsx'

/** `/staff/catalogue`: all offers and settings in force, each with its pending proposals. */
export default function CatalogueView() {
  const me = useMe()
  const read = useQuery(watch(staffCatalogue, {}))
  const [offer, setOffer] = useState<Offer>()
  const { data } = read
  const may = (subject: string) => me.rights.includes(`change.${subject}`)
  const proposing = (subject: string, made: () => Offer) => (may(subject) ? () => setOffer(made()) : undefined)
  return (
    <Page
      title="Catalogue"
      width={1240}
      hint="Current values. Each change is a proposal that another person approves. Earlier purchases keep their terms."
      right={data !== undefined && <span className="text-xs text-faint">settings version {data.version.split('.')[0]}</span>}
    >
      <ListState query={read} rows={data === undefined ? 0 : 1} none="" />
      {data !== undefined && (
        <>
          <div className="grid gap-3.5 lg:grid-cols-12">
            <PricePanel
              catalogue={data}
              decisions={data.decisions?.['coinPrice']}
              onPropose={proposing('price', () => offerOfPrice(data))}
            />
            <PlanPanel catalogue={data} may={may('plan')} onOffer={setOffer} />
          </div>
          <div className="grid gap-3.5 lg:grid-cols-12 mt-4">
            <div className="grid gap-3.5 content-start lg:col-span-7">
              <Settings catalogue={data} may={may} onOffer={setOffer} />
              <Mails />
            </div>
            <div className="grid gap-3.5 content-start lg:col-span-5">
              <NftPanel catalogue={data} may={may('nft')} onOffer={setOffer} />
              <Announcement catalogue={data} may={may('popup')} onOffer={setOffer} />
            </div>
          </div>
        </>
      )}
      {offer !== undefined && (
        <ProposeDialog
          offer={offer}
          toAdd={data !== undefined && may('values') ? (offers) => offersToAdd(data, offers) : undefined}
          onClose={() => setOffer(undefined)}
        />
      )}
    </Page>
  )
}

interface PartProps {
  catalogue: Catalogue
  onOffer: (offer: Offer) => void
}

function Settings({ catalogue, may, onOffer }: PartProps & { may: (subject: string) => boolean }) {
  const me = useMe()
  const values: Readonly<Record<string, unknown>> = { ...catalogue.settings, ...catalogue.limits }
  return (
    <Panel title="Settings and limits">
      <Table dense>
        <Heads columns={['Setting', 'Current', ['Since', 'hide'], ['Propose', 'sr']]} />
        <tbody>
          {GROUPS.map((group) => {
            const current = group.fields.map(({ key }) => catalogue.decisions?.[key])
            return (
              <tr key={group.title}>
                <th scope="row" className="font-semi">
                  {group.title}
                </th>
                <td className="font-semi">
                  {group.fields.map((field) => shown(field, values[field.key])).join(', ')}
                  {group.fields.map(({ key }) => (
                    <Pending key={key} of={catalogue.decisions?.[key]} />
                  ))}
                </td>
                <td className="text-xs max-md:hidden">
                  <Since of={current} />
                </td>
                <td className="text-right whitespace-nowrap">
                  {may(group.subject) ? (
                    <Button
                      variant="ghost"
                      size="sm"
                      icon={<Pencil size={14} aria-hidden="true" />}
                      aria-label={`Propose: ${group.title}`}
                      onClick={() => onOffer(offerOfGroup(catalogue, group))}
                    >
                      Propose
                    </Button>
                  ) : (
                    <span className="text-xs text-faint">{whoCan(me, `change.${group.subject}`)}</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Panel>
  )
}

function shown({ kind, label, unit, decimals, word, off }: FormField, value: unknown): string {
  if (Array.isArray(value))
    return value.length > 3 ? `${value.length}, ${String(value[0])} to ${String(value.at(-1))}` : value.map(String).join(', ')
  const text = asText(value)
  if (off !== undefined && text === off) return `${label} off`
  const name = Array.isArray(kind) ? kind.find((one: readonly string[]) => one[0] === text)?.[1] : undefined
  const grouped =
    decimals !== undefined && text !== ''
      ? exactAmount(text, decimals)
      : /^\d+(\.\d+)?$/.test(text)
        ? text.replace(/^\d+/, (whole) => Number(whole).toLocaleString('en-US'))
        : text
  return [name ?? grouped, name === undefined ? unit : undefined, word].filter((part) => part !== undefined).join(' ')
}

function Announcement({ catalogue: { popup, decisions }, may, onOffer }: PartProps & { may: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const current = { title: popup?.title ?? '', message: popup?.message ?? '', isActive: popup === null ? 'yes' : asText(popup.isActive) }
  return (
    <Panel
      title="Announcement"
      right={
        <Badge tone={popup?.isActive === true ? 'success' : 'neutral'}>{popup?.isActive === true ? 'Shown to members' : 'Not shown'}</Badge>
      }
    >
      <div className="px-4 pt-3 pb-4">
        {popup === null ? (
          <p className="text-muted">No announcement yet.</p>
        ) : (
          <>
            <b className="font-semi">{plain(popup.title)}</b>
            <p className="whitespace-pre-line text-muted">{plain(popup.message)}</p>
          </>
        )}
        <Pending of={decisions?.['popup']} />
        <p className="mt-2 flex min-w-0 items-center gap-2">
          {popup !== null && (
            <Button size="sm" icon={<Eye size={14} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
              Preview
            </Button>
          )}
          {may && (
            <Button
              size="sm"
              onClick={() => onOffer({ subject: 'popup', title: 'Another announcement', fields: POPUP_FIELDS, current, whole: true })}
            >
              Propose another
            </Button>
          )}
        </p>
      </div>
      {isOpen && popup !== null && (
        <MessageBox open title={plain(popup.title)} text={<Lines text={popup.message} />} okLabel="Close" onOk={() => setIsOpen(false)} />
      )}
    </Panel>
  )
}
