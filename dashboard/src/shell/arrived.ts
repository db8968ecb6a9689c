/**
 * The query that the page was loaded with, as it was sent. The router writes queries anew when it starts, and a program
 * that asks at /authorize has to get its `state` back to the letter.
 */
export const arrivedSearch = location.search;
