/**
 * Ordinary words, and names of people and places, that happen to be a slip away from a protected name. Whoever registers
 * one means the word. Plurals of protected names are not among them.
 */
export const neighbourWords: ReadonlySet<string> = new Set(
  `
  abode academic accord actor aired alder aldo alla allay allegra alloy alto amelia ample angus anon anonymous applet
  applied apply arcade area argus aside atone audio audit auntie avant avid azores baker banking barbie barley bauer
  baying bayou becker being belk bell bella below bend bike billy bind binder binge bitty black blade blaze bling boat
  bold boing bolding bong booing booming boring boss bosh bowing boxing brace brake brand brat brave braves bravo
  bride bubble build bumble bundle busch bush busy cable cabs call calls canal candid candle cane canna cannon canoe
  canon canopy canton canvas canyon capsule caravan card cargo carol carrier carter case cash cashier cast caster
  castor cater cease cell cellar center chafe chaise chance change channel chapel chaos charm chaser cheese chess
  chew chose choose ciara cite cities city clare clara clark clash clear coach coast cobalt coins combs condo conan
  cooking cool cord core coral corner couch cougar cover crave creed crest crisco cube cue dandy dare dash dashing
  data date dates deal deals debit decal deck decker deed deeper defy deli delay dell della delve demo den denim dent
  dice dies ding dion dior dipper direct disc discard disco disk dive docent docile docked docket docks dolby doll
  dollar dome domino dominion donor door doses dove drone drove duel duet duo dwell earlier ease easter easy ebb echo
  eclipse edge edit edition elder election elite ember emit enable engine envoy epic era espresso essay ester estate
  event ever exact exam exit expo fable facet faced facial fading fandom fang far fare farmer fast fate fell fern
  ferry fetch field finder finest fired first fist fix flag flair flame flash flick flint flock float folder fond ford
  force forces fore forest forge fork form fort forum forward foster fox frame frost gail gala gamma garden gate gauge
  gave gear gem german gift glide glimpse globe glory gmat goggle goggles golden good goose grade grand grange grape
  grave gravel gravy green grid grove growl gulf gum guru habit hail hale half hall halo halt hanger happy harbor
  harp hash haven hawk heal heap heard heart heat hector held helium helm help her herd here hero heroes hike hint
  hire hired hole holly home homeland honest honey hood hook hope horde hose host hour house hover hub huge hula hull
  human humble hurry ice icon iconic idea ideal ideals idle image imago impact import imports inbox index indie indigo
  indirect ink inlet inn inner input inputs insight instant insta intent inter interest into ion iron island italy jab
  jade jeans jelly jet jewel join jolly jonas jones joy judge juice jungle junior just keen kelp kettle kick kids kin
  kind kinda kindly king kite knit label lace lack lady lake lamb lamp land lane laptop large lash last lastly latch
  late later latex launch law layer lead leaf lean lemon lens lester letter level lever lid light lilac lily lime limit
  linden line linear linen linger link lint lion liquid list live load loaf loan local locker loft logic logo london
  look looking loom loop lotion lotto loud love loves lower lowest lucky lulu lunar lunch lure lynx magic mall map
  maple marble marina market martin maven mayer mead meal media mellow melody memo mental menu mercy merit mesa metal
  metric micro mid mike mile milk mill milton mind miner mint minute mirror mission mist mix mobile modal model modern
  modest moment monarch mono monster moon moral more motel moth motif motion motor mount mouse mouth move mover much
  mule multi muse music mute myth nail naked narrow nation native nature near neat nectar needle nest net never
  new nice niece night nike nile nine nixon noble node nomad noon north nose note noted nova novel now nude nuke null
  oak oasis occur ocean octet offer okra olive omega onion opal open operate optic option opus orange orb orbit order
  organ origin orion otter outer outlet oval oven over oxide pace pack pact padding page paint palm panda panel panic
  papal paper parade park part party passport past pasta patch path patio patron pay peak peal pear pearl pedal peer
  pen penny pep pepper peril pet philip phillip phillips phase phone piano pick pie pier pilot pin pine pink pint pipe
  pirate pitch pivot pixel place plain plan plane plant plasma plastic plate play plaza plot plug pluma plus pocket
  poem point poker polar pole polo pond pool pop porch port portal pose post pouch powder power prado prairie pray
  press prime primer print prints prism probe prologue prompt prone proof prop propel prose proud proxy pulse pump
  punch pure push quest quiet quilt quite quiz quote quota rabbit race radar raft rage rail rain rake ramp ranch range
  rave raven raw ray read ready real reality reason rebel recipe record red reef relax relay rent reply rescue
  reseller rest retro revolt revolve rhyme rice rich ride ridge ring rings rise risk rival river road roar robe robin
  rock rocker rocket rod rode role roll roller roman roof room root rope rose rotor round route router routers rover
  row royal ruby rule rumble run rush rust sack safari saga sage sail salsa salt same sand sara sauce saudi save scale
  scam scan scar scene scout scrap screen script scrub sea seal seam sear season seat second seed seek self sell
  sense serve set seven shack shade shark sharp she shed sheet shelf shell shift shin shine ship shirt shock shoe
  shop shore short shot show shower side sigma sign silk silver simple sing single sister site six sixty size skate
  skill skin skip skull sky slab slam slate sleek sleep slice slick slide slim slip slope slot slow small smart smile
  smoke smooth snack snail snake snap sneak snow soap sock soda sofa soft soho soil solar sole solid solo son song
  sonic sonny sons soon sort soul sound source south southeast space spade spare spark speak speech speed spell
  spend sphere spice spike spin spirit splint split spoon sport spot spray spring sprout square squad squared squire
  squirt stab stack staff stage stair stake stall stamp stand star stark start state stay steak steal steam steel
  steer stein stella stem step stick stitch stock stone stool stop store storm story stove straw stream street stress
  strict stride strike striped string strip strive strong studio study stuff style sugar suite sum sun super sure surf
  swap sweet swift swim swing swiss sword tail take tale talk tall tank tap tape tara task taste tax taxi tea teach team
  tear tech teeth tell temple ten tender tennis tent term test text thank thick thin think third thorn three throne
  thumb tick tide tie tiger tight tile timber time tin tiny tip tire tired toast today toe together token tomato tone
  tongue tony tool tooth top torch total touch tough tour towel tower town toy track trade trail train transit trap
  travel tray treat tree trend trevor trial tribe trick trio trip trolley truck true trust truth try tube tuna tune
  tunes turbo turn turtle twin twist two type ulster ultra uncle under unify union unite united units unity until up
  upper urban use user usher usual utopia vague valet valid valley value van vapor vast vault vector vegan veil vein
  velvet venom vent verb verse very vessel vest vet vibe vice victor video view villa vine vintage vinyl viper virus vise
  visit vista vital vivid voice void volt vote wade wafer wage wagon waist wait wake walk wall walnut want war ward warm
  wash wave wax way weak wealth wear weave web weber wed week weekly weezer weird well west whale wheat wheel while
  whip white whole wide wider wild will willow wilton win wind window wine wing winner winter wire wired wires wiser
  witch wolf wonder wood wool word work world wrap wrist write yacht yard yarn year yeast yell yes yield young youth
  zen zero zest zinc zip zone zoo zulu videos pingpong ping pony tuber betsy lara mara like
  boats morton prana colombia columbia
  china india japan korea russia spain italy france brazil mexico chile peru cuba canada kenya egypt syria qatar oman
  `
    .trim()
    .split(/\s+/),
);
