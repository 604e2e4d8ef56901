export function mayEntre() {
  return true
}
