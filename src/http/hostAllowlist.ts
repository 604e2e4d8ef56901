/** Whether a request with this Host header is allowed. */
export type HostCheck = (header: string | undefined) => boolean

/** `*` allows all hosts. Port and case are ignored; as in Besu, a bracketed IPv6 host is never allowed. */
export function createHostCheck(allowlist: readonly string[]): HostCheck {
  if (allowlist.includes('*')) return () => true
  const names = new Set(allowlist.map((name) => name.toLowerCase()))
  let lastAllowed: string | undefined
  return (header) => {
    if (header === undefined) return false
    if (header === lastAllowed) return true
    const [, name, port] = /^([^:]*)(?::(.*))?$/.exec(header) ?? []
    if (name === undefined || (port !== undefined && !/^[0-9]{1,5}$/.test(port))) return false
    if (!names.has(name.toLowerCase())) return false
    lastAllowed = header
    return true
  }
}
