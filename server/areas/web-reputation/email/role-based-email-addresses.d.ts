declare module 'role-based-email-addresses' {
  const addresses: readonly string[];
  export default addresses;
}
