const user = { profile: { links: ['home'] }, greet() { return 'hi'; } };
const none = null;
console.log(user?.profile?.links?.[0], none?.profile.links[0], user.greet?.(), user.wave?.());
const depth = user.profile?.settings?.depth ?? 'default';
console.log(depth);
