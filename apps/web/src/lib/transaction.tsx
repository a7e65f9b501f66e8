/** A transaction on the chain, whole, with the way to an explorer where the house names one. */
export function ChainTransaction({ hash, url }: { hash: string; url?: string | undefined }) {
  const text = <span className="font-mono text-xs break-all">{hash}</span>
  if (url === undefined || !/^https?:\/\//.test(url)) return text
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {text}
      <span className="sr-only"> (opens an explorer of the chain)</span>
    </a>
  )
}
